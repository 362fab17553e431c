import { existsSync } from 'node:fs'
import { chromium, type Browser } from '@playwright/test'

const PATHS = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** A real Chromium, or `undefined` after saying so: these tests then show as skipped, never as passed. */
export const chromiumPath = PATHS.find((path) => path !== '' && existsSync(path))
if (chromiumPath === undefined) {
  console.log(
    'No Chromium found: the second-origin probes are skipped. Install one ("apt-get install chromium") or set CHROMIUM_PATH.',
  )
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
