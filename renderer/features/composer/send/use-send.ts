import { useCallback, useEffect, useRef, useState } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { commandIn, commandsOf, ownCommandIn, readCommand, type OwnCommand } from '#shared/rules/composer/commands.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { type SettledChannel, useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { JUST_SENT } from '../../../store/command.ts'
import { selectConnection, selectMessage } from '../../../store/selectors.ts'
import { typed, type ComposerState } from '../../../store/composers/composers.ts'
import { noticeDismissed } from '../../../store/window/notices.ts'
import type { AppState, Thunk } from '../../../store/store.ts'
import {
  broadcastWarning,
  notifyingBroadcasts,
  type BroadcastWarning,
  mentionedIn,
  type Person,
} from '../suggestions/mentions.ts'
import type { Place } from '../place.ts'
import { saveEdit, sendComposition, warnOfCommand, warnOfUploads, type Mentioned } from './commands.ts'
import type { Decision } from './decision.ts'
import { COMMAND_USES, runOwnCommand, textOfCommand } from './own-commands.ts'

export type SendOptions = {
  /** "Send when ready" and "Send when allowed". */
  readonly whenReady?: boolean
  /** Sends without notifying anyone. */
  readonly silent?: boolean
  /** "Send later": epoch milliseconds. */
  readonly sendAt?: number
  /** Sends text that is too long for one message as several. */
  readonly split?: boolean
  /** Sends although another window has just sent the same text. */
  readonly again?: boolean
}

/** The confirmation before sending: many people are notified, the same text is sent a second time, or it looks like a command. */
export type SendQuestion = {
  readonly about: BroadcastWarning | 'again' | { readonly unknown: string }
  readonly onSend: () => void
  readonly onClose: () => void
}

type Input = {
  readonly place: Place
  readonly channel: SettledChannel
  readonly decision: Decision
  readonly composer: ComposerState
  readonly people: readonly Person[]
}

/**
 * Sends the message or saves the edit if the decision allows; otherwise the status line already says why. A message that
 * notifies many people is confirmed first.
 */
export function useSend(
  input: Input,
  onSent: () => void,
): { readonly send: (options?: SendOptions) => void; readonly asking: SendQuestion | undefined } {
  const { place, channel, decision, composer } = input
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [question, setQuestion] = useState<{ readonly about: SendQuestion['about']; readonly options: SendOptions }>()
  const waits = useUploadsNotice(decision.kind === 'uploading')
  const deliver = async (options: SendOptions): Promise<void> => {
    if (decision.kind === 'save') {
      const saved = await dispatch(saveEdit(place, mentionedBy(input, store.getState())))
      if (saved) announce(t('announce.edited'))
      return
    }
    rememberSend()
    onSent()
    const written = commandIn(composer.text, commandsOf(channel))?.command.name
    if (written !== undefined) store.objects.of(COMMAND_USES).add(written)
    const sent = await dispatch(sendComposition(place, mentionedBy(input, store.getState()), options))
    if (sent.ok) announce(t(sentText(options, store.getState())))
    else if (sent.error.code === JUST_SENT) setQuestion({ about: 'again', options: { ...options, again: true } })
  }

  const send = (options: SendOptions = {}): void => {
    const whenReady = options.whenReady === true || options.sendAt !== undefined || options.split === true
    switch (decision.kind) {
      case 'uploading':
        // The outbox waits for files that are still uploading; a failed one must be retried or removed first.
        if (!whenReady || decision.stuck) {
          waits.raise()
          return
        }
        break
      case 'slow':
        if (!whenReady) return
        break
      case 'save':
      case 'ready':
      case 'outbox':
        break
      case 'command':
        dispatch(warnOfCommand(decision.why))
        return
      case 'tooLong':
        if (options.split !== true || composer.editing !== undefined) return
        break
      case 'stopped':
        announce(t(decision.forGood ? 'stoppedForGood' : 'stopped'), { assertive: true })
        return
      case 'empty':
      case 'editEmpty':
      case 'editGone':
      case 'uploadFailed':
        return
    }
    const own = composer.editing === undefined ? ownCommandIn(composer.text, channel) : undefined
    if (own !== undefined) {
      const text = textOfCommand(own.name, own.args)
      if (text === undefined) {
        void dispatch(runWritten(place, own, channel))
        return
      }
      dispatch(typed({ key: place.key, text, caret: text.length }))
    }
    const unknown = composer.editing === undefined && !own ? unknownCommandIn(composer.text, channel) : undefined
    const warning = warningFor(input, store.getState()) ?? (unknown === undefined ? undefined : { unknown })
    const final = { ...options, whenReady: whenReady || decision.kind === 'outbox' }
    if (warning === undefined) void deliver(final)
    else setQuestion({ about: warning, options: final })
  }

  const asking: SendQuestion | undefined = question && {
    about: question.about,
    onSend: () => void deliver(question.options),
    onClose: () => setQuestion(undefined),
  }
  return { send, asking }
}

/** What became of a message that was handed over: a failure is announced when it is known. */
function sentText({ sendAt }: SendOptions, state: AppState) {
  if (sendAt !== undefined) return 'announce.scheduled'
  return selectConnection(state).offline ? 'announce.queued' : 'announce.sent'
}

/** Runs a command of the app and empties the field once it is done. */
function runWritten(
  { key }: Place,
  { name, args }: { readonly name: OwnCommand; readonly args: string },
  channel: SettledChannel,
): Thunk<Promise<void>> {
  return async (dispatch, _getState, { objects }) => {
    objects.of(COMMAND_USES).add(name)
    if (await dispatch(runOwnCommand(name, args, channel))) dispatch(typed({ key, text: '', caret: 0 }))
  }
}

/** The name after a slash that is no command here, such as a mistyped one. */
function unknownCommandIn(text: string, channel: SettledChannel): string | undefined {
  const isKnown = commandIn(text, commandsOf(channel)) !== undefined
  return isKnown ? undefined : readCommand(text)?.name
}

const editedBy = ({ composer }: Input, state: AppState): Message | undefined =>
  selectMessage(state, composer.editing?.messageId ?? '')

function mentionedBy(input: Input, state: AppState): Mentioned {
  const { channel, composer, people } = input
  const edited = editedBy(input, state)
  const { users } = state.entities
  const before = (edited?.mentionedUserIds ?? []).map((id) => ({ id, name: users[id]?.name ?? '', inChannel: true }))
  return {
    mentionedUserIds: mentionedIn(composer.text, [...people, ...before]),
    broadcasts: notifyingBroadcasts(composer.text, channel, edited?.reach),
  }
}

/** An edit warns only about broadcast mentions it adds. */
function warningFor(input: Input, state: AppState): BroadcastWarning | undefined {
  const { users } = state.entities
  const others = input.people.flatMap(({ id, inChannel }) => (inChannel ? (users[id] ?? []) : []))
  const { broadcasts } = mentionedBy(input, state)
  const added = broadcasts.filter((each) => editedBy(input, state)?.reach?.includes(each) !== true)
  return broadcastWarning(added, input.channel, others, Date.now())
}

/** Sent messages after which the hint about line breaks is hidden. */
const LEARNED_AFTER = 10
const SENDS_KEY = 'parlor.composer.sends'

export function hasLearnedEnter(): boolean {
  return readCount() >= LEARNED_AFTER
}

function rememberSend(): void {
  const count = readCount()
  if (count >= LEARNED_AFTER) return
  try {
    localStorage.setItem(SENDS_KEY, String(count + 1))
  } catch (reason) {
    console.debug('send count not saved', reason)
  }
}

/** Storage may be unavailable; the hint then stays. */
function readCount(): number {
  try {
    const count = Number(localStorage.getItem(SENDS_KEY))
    return Number.isInteger(count) ? count : 0
  } catch {
    return 0
  }
}

/** The notice that files are still uploading: one at a time, and gone with its cause. */
function useUploadsNotice(uploading: boolean): { readonly raise: () => void } {
  const dispatch = useAppDispatch()
  const shown = useRef<string>(undefined)
  const end = useCallback((): void => {
    if (shown.current !== undefined) dispatch(noticeDismissed({ id: shown.current }))
    shown.current = undefined
  }, [dispatch])
  useEffect(() => {
    if (!uploading) end()
  }, [uploading, end])
  // The composer of another channel says it again if it is asked.
  useEffect(() => end, [end])
  return {
    raise() {
      end()
      shown.current = dispatch(warnOfUploads()).payload.id
    },
  }
}
