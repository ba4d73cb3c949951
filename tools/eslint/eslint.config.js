// How the scripts of the pages are linted: modules for browsers, without a build step.

import js from "@eslint/js";
import globals from "globals";

const rules = {
  "array-callback-return": "error",
  "consistent-return": "error",
  eqeqeq: "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-shadow": "error",
  "no-unused-vars": "error",
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
};

export default [
  js.configs.recommended,
  {
    files: ["src/adjudge/web/static/**/*.js"],
    languageOptions: { sourceType: "module", globals: globals.browser },
    rules,
  },
  {
    files: ["src/adjudge/report/page/report.js"],
    languageOptions: { sourceType: "script", globals: globals.browser },
    rules,
  },
  {
    files: ["tests/**/*.js", "tests/**/*.mjs"],
    languageOptions: { sourceType: "module", globals: { ...globals.browser, ...globals.node } },
    rules,
  },
];
