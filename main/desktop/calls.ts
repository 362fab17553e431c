import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Desktop } from './desktop.ts'

/** `desktop.*` of the contract. */
export function desktopCalls(
  desktop: Pick<Desktop, 'state'>,
  host: Pick<Host, 'folders' | 'quit'>,
): Omit<HandlersOf<'desktop', unknown>, 'safePage' | 'downloads' | 'download' | 'clearDownloads'> {
  return {
    state: () => desktop.state(),
    async chooseFolder() {
      if (!host.folders?.chooseFolder) throw new AppError('desktop/unable')
      const folder = await host.folders.chooseFolder()
      return folder === undefined ? {} : { folder }
    },
    quit() {
      if (!host.quit) throw new AppError('desktop/unable')
      host.quit()
    },
  }
}
