use super::*;

fn made(name: &str, language: ProjectLanguage) -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let project = create(folder.path(), name, language).unwrap();
    (folder, project)
}

/// All files of a folder, with their text.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(self::texts(&path));
        } else {
            texts.push((path.clone(), fs::read_to_string(path).unwrap()));
        }
    }
    texts
}

#[test]
fn every_language_has_a_project_with_its_own_names_and_a_readme() {
    for language in ProjectLanguage::ALL {
        let (_folder, project) = made("my-first", language);
        let texts = texts(&project.folder);
        let own = |path: &Path| !path.strip_prefix(&project.folder).unwrap().starts_with("sdk");
        for (path, text) in texts.iter().filter(|(path, _)| own(path)) {
            for word in ["NAME", "IDENTIFIER", "TYPE", "LIBRARY", "LANGUAGE", "CHOOSE", "ENGINE"] {
                let placeholder = format!("@{word}@");
                assert!(!text.contains(&placeholder), "{placeholder} in {}", path.display());
                assert!(!path.to_str().unwrap().contains(&placeholder), "{}", path.display());
            }
        }
        assert!(project.folder.join(project.choose).is_file(), "{language}");
        let readme = fs::read_to_string(project.folder.join("README.md")).unwrap();
        for said in [project.choose, project.test, &project.engine] {
            assert!(readme.contains(said), "no {said} in the README of {language}");
        }
    }
}

#[test]
fn a_name_becomes_a_type() {
    assert_eq!(type_name("first"), "First");
    assert_eq!(type_name("my-2nd_try"), "My2ndTry");
}

#[test]
fn names_that_cannot_be_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let long = "a".repeat(41);
    for name in ["", "First", "1st", "a b", "../a", "a/b", "-a", "é", &long] {
        let error = create(folder.path(), name, ProjectLanguage::C).unwrap_err();
        assert!(matches!(error, ProjectError::Name(_)), "{name}: {error}");
    }
    for name in ["fn", "test", "tengen-sdk"] {
        let error = create(folder.path(), name, ProjectLanguage::Rust).unwrap_err();
        assert!(matches!(error, ProjectError::Reserved { .. }), "{name}: {error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_there_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("first")).unwrap();
    fs::write(folder.path().join("first/choose.c"), "mine").unwrap();
    let error = create(folder.path(), "first", ProjectLanguage::C).unwrap_err();
    assert!(matches!(error, ProjectError::Exists(_)), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("first/choose.c")).unwrap(), "mine");
    assert!(matches!(
        create(&folder.path().join("none"), "first", ProjectLanguage::C).unwrap_err(),
        ProjectError::Write { .. }
    ));
}
