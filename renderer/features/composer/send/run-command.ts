import type { OwnCommand } from '#shared/rules/composer/commands.ts'
import { sendCommand } from '../../../store/commands.ts'
import type { SettledChannel } from '../../../store/hooks.ts'
import { selectSession, selectSettings } from '../../../store/selectors.ts'
import type { AppState, Thunk } from '../../../store/store.ts'
import { dialogOpened, routeOpened, searchOpened } from '../../../store/window/ui.ts'
import { changeTopic } from '../../channel/index.ts'
import { changeProfile, updateSettings } from '../../settings/index.ts'
import { warnOfNoMessage } from './commands.ts'

/** Runs a command that sends nothing. Resolves to whether it was done, so that the field is emptied. */
export function runOwnCommand(name: OwnCommand, args: string, channel: SettledChannel): Thunk<Promise<boolean>> {
  const { cid } = channel
  return async (dispatch, getState) => {
    switch (name) {
      case 'remind': {
        const messageId = newestIn(getState(), cid)
        if (messageId === undefined) {
          dispatch(warnOfNoMessage())
          return false
        }
        dispatch(dialogOpened({ kind: 'reminder', messageId, words: args.replace(/^me\s+/i, '') }))
        return true
      }
      case 'poll':
        dispatch(dialogOpened({ kind: 'poll', cid }))
        return true
      case 'status': {
        if (args === '') {
          dispatch(sendCommand('runAction', { id: 'setStatus' }))
          return true
        }
        const me = getState().entities.users[selectSession(getState()).userId ?? '']
        if (me === undefined) return false
        return (await dispatch(changeProfile({ name: me.name, statusText: args, statusUntil: undefined }))).ok
      }
      case 'dnd':
        dispatch(sendCommand('runAction', { id: 'pauseNotifications' }))
        return true
      case 'away':
        return (await dispatch(updateSettings({ publishPresence: !selectSettings(getState()).publishPresence }))).ok
      case 'topic':
        return (await dispatch(changeTopic({ cid, name: channel.name, topic: args }))).ok
      case 'invite':
        dispatch(dialogOpened({ kind: 'channel', what: 'people', cid }))
        return true
      case 'leave':
        dispatch(dialogOpened({ kind: 'channel', what: 'leave', cid }))
        return true
      case 'search':
        dispatch(searchOpened({ cid, ...(args === '' ? {} : { text: args }) }))
        return true
      case 'later':
        dispatch(routeOpened({ view: 'later' }))
        return true
      case 'me':
      case 'shrug':
        return false
    }
  }
}

/** The newest message of a channel that a reminder can be about. */
const newestIn = ({ entities }: AppState, cid: string) =>
  Object.values(entities.messages)
    .filter(
      (each) =>
        each.cid === cid && each.type === 'regular' && each.status === 'received' && each.deletedAt === undefined,
    )
    .toSorted((a, b) => b.createdAt - a.createdAt)[0]?.id
