# nix run github:ACCOUNT/gitglot -- check
{
  description = "Checks and serves the translation files of git repositories";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      manifest = builtins.fromTOML (builtins.readFile ./Cargo.toml);
      package =
        pkgs:
        pkgs.rustPlatform.buildRustPackage {
          pname = "gitglot";
          version = manifest.workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--bin=gitglot" ];
          buildType = "dist";
          buildFeatures = [ "packages" ];
          GITGLOT_COMMIT = self.rev or "";
          nativeBuildInputs = [ pkgs.installShellFiles ];
          # The tests need git and a writable home.
          doCheck = false;
          postInstall = ''
            $out/bin/gitglot man man
            installManPage man/*.1
            for shell in bash fish zsh; do
              $out/bin/gitglot completions $shell > gitglot.$shell
              installShellCompletion --cmd gitglot --$shell gitglot.$shell
            done
          '';
          meta = {
            description = "Checks and serves the translation files of git repositories";
            license = with pkgs.lib.licenses; [
              mit
              asl20
            ];
            mainProgram = "gitglot";
          };
        };
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = package nixpkgs.legacyPackages.${system};
      });
    };
}
