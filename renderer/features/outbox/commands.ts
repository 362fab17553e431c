import { command } from '../../store/command.ts'
import { foreseenRefused } from '../../store/entities.ts'

type Item = { readonly id: string }

export const retryItem = command('outbox/retried', ({ id }: Item, engine) => engine.outbox.retry({ id }))
const discard = command('outbox/discarded', ({ id }: Item, engine) => engine.outbox.discard({ id }))
/** A message that is discarded before main has shown it is in no list of main that would say so. */
export const discardItem =
  (item: Item): ReturnType<typeof discard> =>
  async (dispatch) => {
    const done = await dispatch(discard(item))
    if (done.ok) dispatch(foreseenRefused(item))
    return done
  }
export const pauseItem = command('outbox/paused', ({ id }: Item, engine) => engine.outbox.pause({ id }))
export const tryNow = command('outbox/triedNow', (_input: void, engine) => engine.session.reconnect())

export { takeBackItem } from '../../store/composers/unsent.ts'
