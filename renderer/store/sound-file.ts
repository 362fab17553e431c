import { fromBase64 } from '../lib/files/base64.ts'
import { command } from './command.ts'

/** The bytes of the custom sound file; absent if there is none. */
export const loadSoundFile = command(
  'settings/soundAsked',
  async (_input: void, engine): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const { base64 } = await engine.settings.soundFile()
    return base64 === undefined ? undefined : fromBase64(base64)
  },
  { quiet: true },
)
