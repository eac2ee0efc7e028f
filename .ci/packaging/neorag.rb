# The Homebrew formula; .ci/release fills in the version and the checksums.
class Neorag < Formula
  desc "Answers questions about documents from a knowledge graph in Neo4j"
  homepage "https://github.com/neorag/neorag"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://github.com/neorag/neorag/releases/download/v#{version}/neorag-#{version}-darwin-arm64.tar.gz"
      sha256 "@DARWIN_ARM64@"
    end
    on_intel do
      url "https://github.com/neorag/neorag/releases/download/v#{version}/neorag-#{version}-darwin-amd64.tar.gz"
      sha256 "@DARWIN_AMD64@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/neorag/neorag/releases/download/v#{version}/neorag-#{version}-linux-arm64.tar.gz"
      sha256 "@LINUX_ARM64@"
    end
    on_intel do
      url "https://github.com/neorag/neorag/releases/download/v#{version}/neorag-#{version}-linux-amd64.tar.gz"
      sha256 "@LINUX_AMD64@"
    end
  end

  def install
    bin.install "neorag"
    man1.install "neorag.1"
    bash_completion.install "completions/neorag.bash" => "neorag"
    zsh_completion.install "completions/neorag.zsh" => "_neorag"
    fish_completion.install "completions/neorag.fish"
    pkgshare.install "examples"
    doc.install "THIRD-PARTY-LICENSES"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/neorag version")
  end
end
