# For Homebrew on Linux.
class Tengen < Formula
  desc "Arbiter for five-in-a-row engines"
  homepage "@PLACE@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_intel do
    url "@PLACE@/@VERSION@/tengen-@VERSION@-linux-x64.tar.gz"
    sha256 "@SHA256-LINUX-X64@"
  end
  on_arm do
    url "@PLACE@/@VERSION@/tengen-@VERSION@-linux-arm64.tar.gz"
    sha256 "@SHA256-LINUX-ARM64@"
  end

  def install
    prefix.install Dir["*"]
  end

  test do
    system bin/"tengen", "match", "builtin:alphabeta", "builtin:alphabeta", "--tc", "move=0.05"
  end
end
