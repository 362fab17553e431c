import type { Host } from '#main/hosts/host.ts'
import { logger } from '#main/lib/logger.ts'
import type { Account } from '../accounts/account.ts'
import { createMedia, type Media } from './media.ts'

/** Pictures and files of an account, read from its stores and fetched over its connection. */
export function mediaOf(account: Account, host: Host): Media {
  const { cache, outbox } = account.engine.stores
  const { workspace } = account
  return createMedia({
    folder: account.folder,
    cache: cache.reader,
    outbox: outbox.reader,
    api: account.api,
    files: host.ports.files,
    clock: host.ports.clock,
    previewPicture: (ref) => account.engine.previewPicture(ref),
    localUrl: workspace ? () => workspace.running() : undefined,
    log: logger('media', host.log),
  })
}
