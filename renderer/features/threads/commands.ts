import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

export const openThread = command(
  'threads/opened',
  (input: { readonly cid: Cid; readonly parentId: MessageId; readonly around?: MessageId }, engine) =>
    engine.threads.open(input),
)

export const pageThread = command(
  'threads/paged',
  (input: { readonly parentId: MessageId; readonly direction: 'older' | 'newer' }, engine) =>
    engine.threads.page(input),
  { quiet: true },
)

export const markThreadRead = command(
  'threads/read',
  (input: { readonly cid: Cid; readonly parentId: MessageId }, engine) => engine.threads.markRead(input),
  { quiet: true },
)
