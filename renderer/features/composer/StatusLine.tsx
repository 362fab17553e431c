import type { ReactNode } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { alsoInChannelSet } from '../../store/composers/composers.ts'
import { type SettledChannel, useAppDispatch, useHost, useSetting } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { TypingLine } from '../typing/index.ts'
import { Remedy } from './parts.ts'
import { hasLearnedEnter } from './send/use-send.ts'
import { useTitle, isDirect, type Place } from './selectors.ts'
import type { ComposerModel } from './use-composer.ts'
import styles from './StatusLine.module.css'

type Props = {
  readonly id: string
  readonly model: ComposerModel
  readonly place: Place
  readonly channel: SettledChannel
}

/** Below the composer: on the left why the message cannot be sent, or who is typing; on the right a keyboard hint. */
export function StatusLine({ id, model, place, channel }: Props) {
  const status = useStatus(model)
  const hint = useHint(model)
  return (
    <div className={styles['under']}>
      {place.parentId === undefined || model.composer.editing !== undefined ? null : (
        <AlsoSend model={model} place={place} channel={channel} />
      )}
      <output
        id={id}
        className={cx(styles['status'], status && styles[status.tone])}
        // What a file has come to is announced once, when it is attached or failed, and not the steps before.
        aria-live={model.decision.kind === 'uploading' || model.decision.kind === 'uploadFailed' ? 'off' : undefined}
      >
        {status?.text}
      </output>
      {status === undefined ? <TypingLine cid={place.cid} parentId={place.parentId} /> : null}
      <span className={styles['grow']} />
      {hint === undefined ? null : <span className={styles['hint']}>{hint}</span>}
    </div>
  )
}

type Texts = ReturnType<typeof useTexts<'composer'>>
type Status = { readonly tone: 'plain' | 'warn' | 'error'; readonly text: ReactNode }

/** The most important message right now; only one is shown. */
function useStatus(model: ComposerModel): Status | undefined {
  const t = useTexts('composer')
  const errorText = useErrorText()
  const { composer, decision, leftOut, uploads } = model
  if (composer.failure !== undefined && decision.kind !== 'stopped') {
    const reason = errorText(composer.failure)
    const text = composer.editing === undefined ? t('notSent', { reason }) : t('notSaved', { reason })
    return { tone: 'error', text }
  }
  if (leftOut > 0) return { tone: 'warn', text: <Remedy model={model} /> }
  switch (decision.kind) {
    case 'stopped':
      return { tone: 'warn', text: t(decision.forGood ? 'stoppedForGood' : 'stopped') }
    case 'tooLong':
      return { tone: 'error', text: <Remedy model={model} /> }
    case 'uploading':
      return { tone: 'warn', text: <Remedy model={model} /> }
    case 'uploadFailed':
      return { tone: 'plain', text: t('uploadProblem') }
    case 'slow':
      return { tone: 'plain', text: <Remedy model={model} /> }
    case 'outbox':
      return { tone: 'plain', text: t('offline') }
    case 'editEmpty':
      return { tone: 'plain', text: t('editEmpty') }
    case 'editGone':
      return { tone: 'warn', text: t('editGone') }
    case 'command':
      return { tone: 'warn', text: t(`commands.why.${decision.why}`) }
    case 'empty':
      // An empty field is not an error; punctuation alone looks like a message but cannot be sent.
      return composer.text.trim() === '' ? slots(uploads.length, t) : { tone: 'plain', text: t('onlySigns') }
    case 'ready':
    case 'save':
      return slots(uploads.length, t)
  }
}
function slots(used: number, t: Texts): Status | undefined {
  return used < MAX_FILES_PER_MESSAGE
    ? undefined
    : { tone: 'plain', text: t('slots', { used, max: MAX_FILES_PER_MESSAGE }) }
}

function useHint(model: ComposerModel): string | undefined {
  const t = useTexts('composer')
  const enterSends = useSetting('enterSends')
  const keys = `${useHost().os === 'macos' ? '⌘' : 'Ctrl'} + Enter`
  const { composer, decision } = model
  if (composer.editing !== undefined) return enterSends ? t('hintEdit') : t('hintEditSwapped', { keys })
  if (composer.quotedId !== undefined && composer.text === '') return t('hintCancel')
  if (composer.text === '' || !model.focused) return undefined
  if (decision.kind === 'outbox' && enterSends) return t('hintQueue')
  if (!enterSends) return t('hintSendSwapped', { keys })
  return hasLearnedEnter() ? undefined : t('hintNewLine')
}

function AlsoSend({ model, place, channel }: Omit<Props, 'id'>) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const name = useTitle(place.cid)
  return (
    <label className={styles['also']}>
      <input
        type="checkbox"
        className="sr-only"
        checked={model.composer.showInChannel}
        onChange={(event) => dispatch(alsoInChannelSet({ key: place.key, on: event.target.checked }))}
      />
      <span className={styles['tick']} aria-hidden="true">
        <Icon name="check" size={13} />
      </span>
      <span className="ellipsis">{isDirect(channel) ? t('alsoSendPerson') : t('alsoSend', { name })}</span>
    </label>
  )
}
