import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

export const openAround = command(
  'search/contextOpened',
  (input: { readonly cid: Cid; readonly around: MessageId }, engine) => engine.channels.open(input),
)
export const pageAround = command(
  'search/contextPaged',
  (input: { readonly cid: Cid; readonly direction: 'older' | 'newer' }, engine) => engine.channels.page(input),
  { quiet: true },
)
export const latestAround = command('search/latestAsked', (input: { readonly cid: Cid }, engine) =>
  engine.channels.latest(input),
)
