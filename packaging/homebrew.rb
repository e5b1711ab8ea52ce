# The formula of a Homebrew tap; fill.mjs fills in the version and the checksums at a release.
class Kprobe < Formula
  desc "Runs a pod's probes as the kubelet does, and shows why it restarts"
  homepage "https://github.com/kprobe/kprobe"
  version "{{version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://github.com/kprobe/kprobe/releases/download/v{{version}}/kprobe-darwin-arm64.tar.gz"
      sha256 "{{sha256 kprobe-darwin-arm64.tar.gz}}"
    end
    on_intel do
      url "https://github.com/kprobe/kprobe/releases/download/v{{version}}/kprobe-darwin-x64.tar.gz"
      sha256 "{{sha256 kprobe-darwin-x64.tar.gz}}"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/kprobe/kprobe/releases/download/v{{version}}/kprobe-linux-arm64.tar.gz"
      sha256 "{{sha256 kprobe-linux-arm64.tar.gz}}"
    end
    on_intel do
      url "https://github.com/kprobe/kprobe/releases/download/v{{version}}/kprobe-linux-x64.tar.gz"
      sha256 "{{sha256 kprobe-linux-x64.tar.gz}}"
    end
  end

  def install
    bin.install "kprobe"
    bin.install_symlink bin/"kprobe" => "kubectl-kprobe"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/kprobe --version").strip
  end
end
