import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { iconsInPage, pdfFiles, plainScripts, classNames, shortNames } from './.ci/page-files.ts'
import { listPackages } from './.ci/third-party.ts'
import { csp } from './main/hosts/rules/pages/serving.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** `#shared/…` and `#main/…` are resolved by package.json's `imports`; what package.json lists under `dependencies` stays outside the bundles. */
const mainEntries = Object.fromEntries(
  ['electron', 'browser', 'server', 'cache-worker', 'pictures']
    .map((name) => [name, at(`./main/entry/${name}.ts`)])
    .filter(([, path]) => existsSync(path ?? '')),
)

/** The page carries a second copy of the policy; the header of each host narrows it. */
const policyInPage: Plugin = {
  name: 'parlor-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: csp({ host: 'page' }) },
      injectTo: 'head-prepend',
    },
  ],
}

/**
 * All that the app's page needs before it paints is one file: as seventy, one for each part that something lazy shares,
 * they cost a start a tenth of a second. The safe page shares none of it: it opens when the app does not.
 */
const isOfApp = (id: string): boolean => !/renderer\/(?:index\.html|main\.tsx|early\.ts|safe|styles\/tokens)/.test(id)

/** Modules of Parlor that do nothing when they are imported; the scripts of pages do. */
const OWN_CODE = /\/(?:renderer\/(?!main\.tsx|early\.ts|safe\/).*|shared\/.*)\.tsx?$/

export default defineConfig({
  main: {
    plugins: [listPackages(at('.'), 'main')],
    build: {
      outDir: 'out/main',
      sourcemap: true,
      rolldownOptions: { input: mainEntries },
    },
  },
  preload: {
    plugins: [listPackages(at('.'), 'preload')],
    build: {
      outDir: 'out/preload',
      sourcemap: false,
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('./preload/index.ts') },
        // A sandboxed preload is one CommonJS file that may require nothing but `electron`.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('./renderer'),
    css: { modules: { generateScopedName: shortNames(at('./renderer')) } },
    plugins: [
      ...classNames,
      react(),
      iconsInPage,
      pdfFiles,
      policyInPage,
      plainScripts('index'),
      listPackages(at('.'), 'renderer'),
    ],
    build: {
      outDir: at('./out/renderer'),
      emptyOutDir: true,
      sourcemap: true,
      minify: true,
      // Nothing inline: the policy allows no data addresses and no inline script.
      assetsInlineLimit: 0,
      // Of what loads later, the styles: a script's own imports are loaded by the script.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files, { hostType }) =>
          hostType === 'js' ? files.filter((file) => file.endsWith('.css')) : files,
      },
      rolldownOptions: {
        input: {
          index: at('./renderer/index.html'),
          safe: at('./renderer/safe.html'),
          early: at('./renderer/early.ts'),
        },
        // Importing one thing from a feature's index is no reason to load the rest.
        treeshake: { moduleSideEffects: [{ test: OWN_CODE, sideEffects: false }] },
        output: {
          codeSplitting: {
            groups: [
              {
                name: 'react',
                test: /node_modules\/(?:react|react-dom|scheduler)\/|renderer\/react\.ts$/,
                priority: 2,
              },
              { name: 'early', test: /renderer\/(?:early|i18n\/areas)\.ts$/, priority: 1 },
              // Without what its modules import and a start does not use.
              { name: 'start', tags: ['$initial'], test: isOfApp, includeDependenciesRecursively: false },
            ],
          },
        },
      },
    },
  },
})
