import { basename } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { DownloadCapability, Host } from '#main/hosts/host.ts'
import { openDecision } from '#main/hosts/rules/pages/openable.ts'
import type { CallWindow } from '../windows/call-window.ts'
import { sniff, SNIFF_BYTES } from './media.ts'

/** Files that the user saved, and actions on them. An executable file is shown in its folder, never opened. */
export function downloadCalls({
  downloads,
  folders,
  ports,
}: Pick<Host, 'downloads' | 'folders' | 'ports'>): Pick<
  HandlersOf<'desktop', CallWindow>,
  'downloads' | 'download' | 'clearDownloads'
> {
  const here = (): DownloadCapability => {
    if (!downloads) throw new AppError('desktop/unable')
    return downloads
  }
  /** It may have been moved or deleted since. */
  async function pathOf(id: string): Promise<string> {
    const path = here().pathOf(id)
    if (path === undefined || (await ports.files.size(path)) === undefined) throw new AppError('desktop/download-gone')
    return path
  }
  async function open(path: string): Promise<void> {
    const decision = openDecision(basename(path), sniff(await ports.files.read(path, 0, SNIFF_BYTES)))
    if (decision !== 'open') throw new AppError(decision === 'runs' ? 'data/file-runs' : 'data/file-mismatch')
    await folders?.open(path)
  }
  return {
    downloads: () => here().list(),
    async download({ id, what }) {
      if (what === 'again') here().retry(id)
      else if (what === 'cancel') here().cancel(id)
      else if (what === 'open') await open(await pathOf(id))
      else await folders?.show(await pathOf(id))
    },
    clearDownloads: () => here().clear(),
  }
}
