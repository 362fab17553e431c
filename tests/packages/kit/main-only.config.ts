import { defineConfig } from 'electron-vite'
import all from '../../../electron.vite.config.ts'

/** Main alone, as the production configuration builds it: for a build with another key of updates. */
export default defineConfig({ main: (all as { readonly main: object }).main })
