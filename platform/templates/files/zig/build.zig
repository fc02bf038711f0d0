const std = @import("std");

/// `zig build` makes the library, `zig build test` tests it, `zig build wasm` makes the module.
pub fn build(b: *std.Build) void {
    const optimize = b.standardOptimizeOption(.{ .preferred_optimize_mode = .ReleaseFast });
    const native = b.addLibrary(.{
        .name = "@IDENTIFIER@",
        .linkage = .dynamic,
        .root_module = b.createModule(.{
            .root_source_file = b.path("src/engine.zig"),
            .target = b.standardTargetOptions(.{}),
            .optimize = optimize,
        }),
    });
    b.installArtifact(native);

    const module = b.addExecutable(.{
        .name = "@NAME@",
        .root_module = b.createModule(.{
            .root_source_file = b.path("src/engine.zig"),
            .target = b.resolveTargetQuery(.{ .cpu_arch = .wasm32, .os_tag = .freestanding }),
            .optimize = .ReleaseSmall,
            .strip = true,
        }),
    });
    module.entry = .disabled;
    module.rdynamic = true;
    b.step("wasm", "Build the WebAssembly module").dependOn(&b.addInstallArtifact(module, .{}).step);

    const tests = b.addTest(.{
        .root_module = b.createModule(.{
            .root_source_file = b.path("src/choose.zig"),
            .target = b.graph.host,
        }),
    });
    b.step("test", "Test the choice of a move").dependOn(&b.addRunArtifact(tests).step);
}
