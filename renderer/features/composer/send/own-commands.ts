import type { SettledChannel } from '../../../store/hooks.ts'
import {
  type OwnCommand,
  commandBar,
  commandIn,
  commandLack,
  commandsOf,
  OWN_COMMANDS,
  type WrittenCommand,
  type ChannelCommand,
} from '#shared/rules/composer/commands.ts'
import { nameFor } from '../../../lib/page/stored.ts'
import { sendCommand } from '../../../store/commands.ts'
import { perAccount } from '../../../store/objects.ts'
import { selectSession, selectSettings } from '../../../store/selectors.ts'
import type { AppState, Thunk } from '../../../store/store.ts'
import { dialogOpened, routeOpened, searchOpened } from '../../../store/window/ui.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { useTexts } from '../../../i18n/index.ts'
import { changeProfile, updateSettings } from '../../settings/index.ts'
import { changeTopic } from '../../channel/index.ts'
import { warnOfNoMessage } from './commands.ts'
import type { Facts } from './use-send.ts'
import type { Person } from '../suggestions/mentions.ts'

const USES_KEY = 'parlor.commands.uses'

/** How often each command was used on this device. Storage may be unavailable; the order is then the first one. */
class CommandUses {
  readonly #key: string

  constructor(account: string) {
    this.#key = nameFor(USES_KEY, account)
  }

  read(): Readonly<Record<string, number>> {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '{}')
      const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
      return Object.fromEntries(entries.filter(([, count]) => typeof count === 'number'))
    } catch (reason) {
      console.debug('uses of commands not read', reason)
      return {}
    }
  }

  add(name: string): void {
    const uses = this.read()
    try {
      localStorage.setItem(this.#key, JSON.stringify({ ...uses, [name]: (uses[name] ?? 0) + 1 }))
    } catch (reason) {
      console.debug('uses of commands not saved', reason)
    }
  }
}

export const COMMAND_USES = perAccount(({ account }) => new CommandUses(account))

/** The text that a command makes of its arguments, to be sent in its place. Absent: it sends nothing. */
export function textOfCommand(name: OwnCommand, args: string): string | undefined {
  if (name === 'me') return `_${args}_`
  // Escaped, because the arms would be taken for emphasis.
  if (name === 'shrug') return `${args} ¯\\\\\\_(ツ)\\_/¯`.trim()
  return undefined
}

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

/** The command in a composer, and why it cannot be sent. */
export type CommandState = { readonly written?: WrittenCommand; readonly problem?: Facts['command'] }

const NONE: CommandState = {}

export function commandState(
  channel: SettledChannel,
  composer: ComposerState,
  people: readonly Person[],
): CommandState {
  const { text, editing, quotedId } = composer
  const written = commandIn(text, commandsOf(channel))
  // Editing a message that already starts with a slash does not turn it into a command.
  if (written === undefined || text === editing?.original) return NONE
  const labels = people.flatMap(({ id, name }) => [id, name])
  const here = barHere(channel, editing !== undefined, quotedId !== undefined)
  const problem = commandBar(written.command.name, here) ?? commandLack(written, labels)
  return problem === undefined ? { written } : { written, problem }
}

export const barHere = ({ capabilities }: SettledChannel, editing: boolean, quoting: boolean) => ({
  capabilities,
  editing,
  quoting,
})

/** The command's name at the start of a text, with the spaces after it: `/mute `. */
export const writtenName = (text: string): string => /^\s*\/\S+\s*/u.exec(text)?.[0] ?? ''

/** The app's own and the standard commands have translated descriptions; other commands use the server's. */
const KNOWN = [...OWN_COMMANDS, 'ban', 'flag', 'giphy', 'mute', 'unban', 'unmute'] as const
const isKnown = (name: string): name is (typeof KNOWN)[number] => KNOWN.some((known) => known === name)

/** The description of a command in one line, with the name of the program that answers it. */
export function useCommandTexts(): (command: ChannelCommand) => string {
  const t = useTexts('composer')
  return ({ name, description, program }) => {
    if (program !== undefined) return [description, program].filter((each) => each !== '').join(' · ')
    // A server's command of a name that the app has, too: it does what the server says.
    const isReplaced = description !== '' && OWN_COMMANDS.some((each) => each === name)
    return isKnown(name) && !isReplaced ? t(`commands.known.${name}`) : description
  }
}
