import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

const hostOnly = {
  group: ["@tauri-apps/*"],
  message: "Only src/lib/host may know the window's host; use `call` and `listen` of lib/host/host.",
};

export default ts.config(
  { ignores: ["dist", "src/paraglide", "src/lib/host/bindings.ts", "project.inlang"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs["flat/recommended"],
  { languageOptions: { globals: globals.browser } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig },
    },
  },
  {
    rules: {
      "no-undef": "off",
      "no-console": "error",
      "no-restricted-imports": ["error", { patterns: [hostOnly] }],
      "svelte/no-at-html-tags": "error",
      "svelte/require-each-key": "off",
    },
  },
  { files: ["src/lib/host/**"], rules: { "no-restricted-imports": "off" } },
  {
    // Parts without a domain, and domains, never reach up into a view.
    files: ["src/lib/**"],
    ignores: ["src/lib/host/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [hostOnly, { group: ["**/views/**"], message: "lib/ does not know the views." }] },
      ],
    },
  },
  {
    files: ["src/lib/ui/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            hostOnly,
            {
              group: [
                "**/views/**",
                "**/lib/offer/**",
                "**/lib/query/**",
                "**/lib/host/**",
                "../offer/*",
                "../query/*",
                "../host/*",
              ],
              message: "lib/ui knows no domain.",
            },
          ],
        },
      ],
    },
  },
);
