import { Fragment, useMemo, type ReactNode } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import { MAX_PARTS, splitText } from '#shared/rules/composer/split-text.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { alsoInChannelSet } from '../../store/composers/composers.ts'
import { type SettledChannel, useAppDispatch, useHost, useSetting } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { TypingLine } from '../typing/index.ts'
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
  if (leftOut > 0) return { tone: 'warn', text: <LeftOut model={model} /> }
  switch (decision.kind) {
    case 'stopped':
      return { tone: 'warn', text: t(decision.forGood ? 'stoppedForGood' : 'stopped') }
    case 'tooLong':
      return { tone: 'error', text: <TooLong model={model} by={decision.by} /> }
    case 'uploading':
      return { tone: 'warn', text: <WaitForUploads model={model} stuck={decision.stuck} /> }
    case 'uploadFailed':
      return { tone: 'plain', text: t('uploadProblem') }
    case 'slow':
      return { tone: 'plain', text: <SlowMode model={model} seconds={decision.seconds} /> }
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

/** By how much, with the remedies: several messages or a file; an edit can only be shortened. */
function TooLong({ model, by }: { readonly model: ComposerModel; readonly by: number }) {
  const t = useTexts('composer')
  const { number } = useFormats()
  const { text, editing } = model.composer
  const parts = useMemo(
    () => (text.length > model.maxLength * MAX_PARTS ? Infinity : splitText(text, model.maxLength).length),
    [text, model.maxLength],
  )
  const remedies = [
    ...(editing === undefined ? [] : [{ id: 'cut', label: t('cutToLimit'), onClick: model.cutToLimit }]),
    ...(editing !== undefined || parts > MAX_PARTS
      ? []
      : [{ id: 'split', label: t('splitText', { count: parts }), onClick: () => model.send({ split: true }) }]),
    ...(model.acceptsFiles && model.uploads.length < MAX_FILES_PER_MESSAGE
      ? [{ id: 'file', label: t('textToFile'), onClick: model.textToFile }]
      : []),
  ]
  return (
    <>
      {t('tooLong', { count: by, shown: number(by) })}
      {remedies.map(({ id, label, onClick }) => (
        <Fragment key={id}>
          {' '}
          <button type="button" className={styles['action']} onClick={onClick}>
            {label}
          </button>
        </Fragment>
      ))}
    </>
  )
}

/** The warning, and sending as soon as the uploads are done. */
function WaitForUploads({ model, stuck }: { readonly model: ComposerModel; readonly stuck: boolean }) {
  const t = useTexts('composer')
  if (stuck) return t('waitForUploads')
  return (
    <>
      {t('waitForUploads')}{' '}
      <button type="button" className={styles['action']} onClick={() => model.send({ whenReady: true })}>
        {t('sendWhenReady')}
      </button>
    </>
  )
}

/** Files beyond the limit are not dropped: they are sent as a second message. */
function LeftOut({ model }: { readonly model: ComposerModel }) {
  const t = useTexts('composer')
  return (
    <>
      {t('filesLeftOut', { count: model.leftOut, max: MAX_FILES_PER_MESSAGE })}{' '}
      <button type="button" className={styles['action']} onClick={model.sendAndContinue}>
        {t('uploads.filesInSecond')}
      </button>
    </>
  )
}

/** The countdown, and an action to send later: the message waits in the outbox until slow mode allows it. */
function SlowMode({ model, seconds }: { readonly model: ComposerModel; readonly seconds: number }) {
  const t = useTexts('composer')
  return (
    <>
      {t('slowMode', { count: seconds })}{' '}
      <button type="button" className={styles['action']} onClick={() => model.send({ whenReady: true })}>
        {t('sendWhenAllowed')}
      </button>
    </>
  )
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
