import { chromium, type Browser } from 'playwright'
import { CHROMIUM_FLAGS, findChromium } from '../../../.ci/chromium.ts'

/** A real Chromium, or `undefined` after a message: these tests are then reported as skipped, never as passed. */
export const chromiumPath = findChromium()
if (chromiumPath === undefined) {
  console.log(
    'No Chromium found: the second-origin probes are skipped. Install one ("apt-get install chromium") or set CHROMIUM_PATH.',
  )
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [...CHROMIUM_FLAGS],
  })
}
