import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  js.configs.recommended,
  ...tseslint.configs.strict,
  { rules: { complexity: ["error", 10], "max-lines": ["error", 320], "max-params": ["error", 8] } },
  { ignores: ["node_modules", "build.mjs", "eslint.config.js"] },
);
