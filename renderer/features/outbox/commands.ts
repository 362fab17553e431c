import { command } from '../../store/command.ts'

type Item = { readonly id: string }

export const retryItem = command('outbox/retried', ({ id }: Item, engine) => engine.outbox.retry({ id }))
export const discardItem = command('outbox/discarded', ({ id }: Item, engine) => engine.outbox.discard({ id }))
export const pauseItem = command('outbox/paused', ({ id }: Item, engine) => engine.outbox.pause({ id }))
export const tryNow = command('outbox/triedNow', (_input: void, engine) => engine.session.reconnect())

export { takeBackItem } from '../../store/window/held.ts'
