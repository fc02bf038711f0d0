//! Seats at tables that this window hosts: they are remembered as long as the table is there.

use tempfile::tempdir;
use tengen_gui::app::{
    App, Command, ConnectionState, HostForm, JoinForm, ListenForm, NetworkCommand, SettingsStore,
    TableCommand,
};

use crate::table_games::host;

fn has_seat(app: &App) -> bool {
    !app.settings().tables.seats.is_empty()
}

#[test]
fn a_hosted_table_is_forgotten_with_its_tab_and_with_the_window() {
    // A server that has just ended may still hold its folder.
    let (folder, another) = (tempdir().unwrap(), tempdir().unwrap());
    let file = folder.path().join("gui.toml");
    let kept = || SettingsStore::open(file.clone(), "C");
    let mut ann = host(&folder, HostForm::default());
    // Who opens a table looks on for a moment before sitting down.
    ann.update_until(|app| has_seat(app) && !app.has_people_at_tables());
    ann.apply(Command::CloseActiveTab);
    assert!(ann.app.tab().is_none(), "nobody is there who would be asked for");
    assert!(!has_seat(&ann.app));
    drop(ann);
    let mut ann = host(&another, HostForm::default());
    ann.app.use_settings_store(kept());
    ann.update_until(has_seat);
    drop(ann);
    assert!(kept().settings().tables.seats.is_empty());
}

#[test]
fn a_table_that_is_hosted_for_a_network_is_one_table_by_either_address() {
    let folder = tempdir().unwrap();
    let listen = ListenForm { address: "0.0.0.0".to_owned(), ..ListenForm::default() };
    let form = HostForm { listen, ..HostForm::default() };
    let mut ann = host(&folder, form);
    ann.update_until(has_seat);
    let info = ann.app.table().unwrap().info();
    let (table, server) = (info.id.clone().unwrap(), info.server.clone());
    let port = server.rsplit(':').next().unwrap();
    for server in [server.clone(), format!("127.0.0.1:{port}")] {
        let address = format!("http://{server}/#table={table}");
        let form = JoinForm { address, ..JoinForm::default() };
        ann.apply(Command::Network(NetworkCommand::OpenJoinForm));
        ann.apply(Command::Network(NetworkCommand::EditJoinForm(form)));
        ann.apply(Command::Network(NetworkCommand::Watch));
        assert_eq!(ann.tabs(), 1, "{server}");
    }
    ann.apply(Command::Network(NetworkCommand::ToTable(TableCommand::End)));
    let is_closed = |app: &App| {
        let info = app.table().unwrap().info();
        matches!(info.connection, ConnectionState::Closed(_))
    };
    ann.update_until(|app| is_closed(app) && !has_seat(app));
}
