import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  clearScreen: false,
  // Relative addresses, so that the same build is served by the window and by a plain web server.
  base: "./",
  plugins: [
    paraglideVitePlugin({
      project: "./project.inlang",
      outdir: "./src/paraglide",
      strategy: ["globalVariable", "baseLocale"],
      outputStructure: "locale-modules",
      emitTsDeclarations: true,
    }),
    svelte(),
  ],
  // Tests mount components, so they need Svelte's browser build.
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  server: {
    port: 5173,
    strictPort: true,
    // A test reads what the desk says in its own source.
    ...(mode === "test" ? { fs: { allow: [".."] } } : {}),
  },
  build: {
    target: "safari18",
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
  test: {
    environment: "jsdom",
    setupFiles: ["./src/test/setup.ts"],
    include: ["src/**/*.test.ts"],
    restoreMocks: true,
    // Whole-window journeys take seconds on a busy machine.
    testTimeout: 60_000,
    // The tokens are tested as they are written.
    css: { include: [/app\.css/] },
  },
}));
