import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { iconsInPage } from '../../.ci/page-files.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** The content policy of the packaged page, so that what works here works there. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * `vite build` and `vite preview` with this file show the gallery under the product's policy; `vite` is for
 * development.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  publicDir: `${repository}resources/demo`,
  plugins: [react(), iconsInPage],
  server: { port: 5199, strictPort: true, fs: { allow: [repository] } },
  preview: { port: 5198, strictPort: true, host: '127.0.0.1', headers: { 'Content-Security-Policy': POLICY } },
  build: { outDir: `${repository}out/gallery`, emptyOutDir: true, assetsInlineLimit: 0, target: 'esnext' },
})
