import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const forbiddenGlobals = (names, reason) => names.map((name) => ({ name, message: reason }));

export default tseslint.config(
  { ignores: ['dist/', 'build/', 'docs/site/pages/', 'node_modules/', 'coverage/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      'simple-import-sort/imports': 'error',
      'simple-import-sort/exports': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      eqeqeq: 'error',
      'max-lines': ['warn', { max: 400, skipComments: false }],
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: { 'max-lines-per-function': ['warn', { max: 60 }] },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/cli/**', 'src/clock/**', 'src/commands/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...forbiddenGlobals(
          ['Date', 'setTimeout', 'setInterval', 'setImmediate', 'performance'],
          'Time comes from the Clock.',
        ),
        ...forbiddenGlobals(['process'], 'Only cli/ and commands/ know the process.'),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Randomness comes from the Clock.' },
      ],
    },
  },
  {
    files: ['test/**', '*.config.ts', '*.config.js', 'examples/**', 'bench/**', 'bin/**'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['examples/**', 'scripts/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    // CommonJS, as the build is.
    files: ['bin/**'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
