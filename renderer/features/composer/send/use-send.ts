import { useCallback, useEffect, useRef, useState } from 'react'
import type { Message } from '#shared/domain/message.ts'
import {
  commandIn,
  commandsOf,
  ownCommandIn,
  readCommand,
  type OwnCommand,
  type CommandBar,
  type CommandLack,
} from '#shared/rules/composer/commands.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import { mayEdit, maySend } from '#shared/rules/composer/composer.ts'
import { textLength } from '#shared/rules/messages/text.ts'
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
import type { Place } from '../selectors.ts'
import { saveEdit, sendComposition, warnOfCommand, warnOfUploads, type Mentioned } from './commands.ts'
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

/** What pressing Send would do, or why it is disabled. */
export type Decision =
  | { readonly kind: 'ready' }
  /** The main process is not running: nothing can be sent, and nothing is lost. `forGood`: not from this window. */
  | { readonly kind: 'stopped'; readonly forGood: boolean }
  | { readonly kind: 'outbox' }
  | { readonly kind: 'save' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'editEmpty' }
  | { readonly kind: 'editGone' }
  | { readonly kind: 'tooLong'; readonly by: number }
  /** `stuck`: the message cannot be sent when ready, because a file has failed or has no tile yet. */
  | { readonly kind: 'uploading'; readonly done: number; readonly all: number; readonly stuck: boolean }
  | { readonly kind: 'uploadFailed' }
  | { readonly kind: 'slow'; readonly seconds: number }
  /** The text is a command that is not available here, or is incomplete. */
  | { readonly kind: 'command'; readonly why: CommandBar | CommandLack }

export type Facts = {
  readonly text: string
  readonly uploads: readonly Pick<Upload, 'state'>[]
  /** Number of chosen files without a tile yet; a picture's size is read first. */
  readonly coming?: number
  readonly maxLength: number
  readonly offline: boolean
  /** The main process is not running, or does not know this window anymore. */
  readonly stopped?: 'gone' | 'shut'
  /** Seconds until slow mode allows the next message; 0 when it does. */
  readonly cooldown: number
  /** Set while a message is edited. */
  readonly editing?: { readonly deleted: boolean; readonly hasAttachments: boolean }
  /** Why the command in the text cannot be used. */
  readonly command?: CommandBar | CommandLack
}

/** Whether the message can be sent now, and if not, why. Offline the outbox waits for the uploads. */
export function decide(facts: Facts): Decision {
  if (facts.stopped !== undefined) return { kind: 'stopped', forGood: facts.stopped === 'shut' }
  const { text, uploads, coming = 0, maxLength, offline, cooldown, editing, command } = facts
  if (command !== undefined && editing?.deleted !== true) return { kind: 'command', why: command }
  if (editing) return decideEdit(text, maxLength, editing)
  const codes = new Set(maySend({ text, uploads, maxLength, whenReady: offline }).map((issue) => issue.code))
  if (codes.has('composer/too-long')) return { kind: 'tooLong', by: textLength(text) - maxLength }
  if (coming > 0) {
    const { done, all } = progressOf(uploads)
    return { kind: 'uploading', done, all: all + coming, stuck: true }
  }
  if (codes.has('composer/uploads-in-progress')) return { kind: 'uploading', ...progressOf(uploads) }
  if (codes.has('composer/upload-failed')) return { kind: 'uploadFailed' }
  if (codes.has('composer/empty')) return { kind: 'empty' }
  if (codes.size > 0) return { kind: 'empty' }
  if (cooldown > 0) return { kind: 'slow', seconds: cooldown }
  return { kind: offline ? 'outbox' : 'ready' }
}

function decideEdit(
  text: string,
  maxLength: number,
  { deleted, hasAttachments }: NonNullable<Facts['editing']>,
): Decision {
  if (deleted) return { kind: 'editGone' }
  const codes = mayEdit(text, maxLength, hasAttachments).map((issue) => issue.code)
  if (codes.includes('composer/too-long')) return { kind: 'tooLong', by: textLength(text) - maxLength }
  return { kind: codes.length > 0 ? 'editEmpty' : 'save' }
}

function progressOf(uploads: readonly Pick<Upload, 'state'>[]): { done: number; all: number; stuck: boolean } {
  const usable = uploads.filter(({ state }) => state !== 'failed' && state !== 'blocked')
  return {
    done: usable.filter(({ state }) => state === 'finished').length,
    all: usable.length,
    stuck: usable.length < uploads.length,
  }
}

/** Share of the limit from which the counter is shown. */
const COUNTER_FROM = 0.8

/** Characters left, negative beyond the limit; undefined below `COUNTER_FROM`. */
export function charactersLeft(text: string, maxLength: number): number | undefined {
  const shownFrom = maxLength * COUNTER_FROM
  if (text.length < shownFrom) return undefined
  const length = textLength(text)
  return length < shownFrom ? undefined : maxLength - length
}

/** Whole seconds until the next message may be sent. See docs/wire.md 7.11 "cooldown". */
export function cooldownLeft(cooldown: number, lastOwnAt: number | undefined, now: number): number {
  if (cooldown <= 0 || lastOwnAt === undefined) return 0
  return Math.max(0, Math.round(cooldown - (now - lastOwnAt) / 1_000))
}

/** Index at which the text exceeds the limit; the text's length when it does not. */
export function limitIn(text: string, maxLength: number): number {
  if (text.length <= maxLength || textLength(text) <= maxLength) return text.length
  return Array.from(text).slice(0, maxLength).join('').length
}
