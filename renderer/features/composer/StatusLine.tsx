import { Fragment, useMemo, type ReactNode } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { MAX_PARTS, splitText } from '#shared/rules/composer/split-text.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { alsoInChannelSet } from '../../store/composers/composers.ts'
import { useAppDispatch, useHost, useSetting } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { TypingLine } from '../typing/index.ts'
import { hasLearnedEnter } from './send/learned.ts'
import { isDirect, type Place } from './place.ts'
import { useTitle } from './use-title.ts'
import type { ComposerModel } from './use-composer.ts'
import styles from './StatusLine.module.css'

type Props = {
  readonly id: string
  readonly it: ComposerModel
  readonly place: Place
  readonly channel: Channel
}

/** Under the frame: at the left why something cannot go, or who is typing; at the right which key does what. */
export function StatusLine({ id, it, place, channel }: Props) {
  const said = useSaid(it)
  const hint = useHint(it)
  return (
    <div className={styles['under']}>
      {place.parentId === undefined || it.composer.editing !== undefined ? null : (
        <AlsoSend it={it} place={place} channel={channel} />
      )}
      <output id={id} className={cx(styles['said'], said && styles[said.tone])}>
        {said?.text}
      </output>
      {said === undefined ? <TypingLine cid={place.cid} parentId={place.parentId} /> : null}
      <span className={styles['grow']} />
      {hint === undefined ? null : <span className={styles['hint']}>{hint}</span>}
    </div>
  )
}

type Texts = ReturnType<typeof useTexts<'composer'>>
type Said = { readonly tone: 'plain' | 'warn' | 'error'; readonly text: ReactNode }

/** The one most important thing to say now. */
function useSaid(it: ComposerModel): Said | undefined {
  const t = useTexts('composer')
  const errorText = useErrorText()
  const { composer, decision, leftOut, uploads } = it
  if (composer.failure !== undefined && decision.kind !== 'stopped') {
    const reason = errorText(composer.failure)
    const text = composer.editing === undefined ? t('notSent', { reason }) : t('notSaved', { reason })
    return { tone: 'error', text }
  }
  if (leftOut > 0) return { tone: 'warn', text: <LeftOut it={it} /> }
  switch (decision.kind) {
    case 'stopped':
      return { tone: 'warn', text: t('stopped') }
    case 'tooLong':
      return { tone: 'error', text: <TooLong it={it} by={decision.by} /> }
    case 'uploading':
      return { tone: 'warn', text: <WaitForUploads it={it} stuck={decision.stuck} /> }
    case 'uploadFailed':
      return { tone: 'plain', text: t('uploadProblem') }
    case 'slow':
      return { tone: 'plain', text: <SlowMode it={it} seconds={decision.seconds} /> }
    case 'outbox':
      return { tone: 'plain', text: t('offline') }
    case 'editEmpty':
      return { tone: 'plain', text: t('editEmpty') }
    case 'editGone':
      return { tone: 'warn', text: t('editGone') }
    case 'command':
      return { tone: 'warn', text: t(`commands.why.${decision.why}`) }
    case 'empty':
      // Nothing is wrong with an empty field; signs alone look like a message and are none.
      return composer.text.trim() === '' ? slots(uploads.length, t) : { tone: 'plain', text: t('onlySigns') }
    case 'ready':
    case 'save':
      return slots(uploads.length, t)
  }
}
function slots(used: number, t: Texts): Said | undefined {
  return used < MAX_FILES_PER_MESSAGE
    ? undefined
    : { tone: 'plain', text: t('slots', { used, max: MAX_FILES_PER_MESSAGE }) }
}

/** By how much, and the ways out: several messages, a file; an edit can only become shorter. */
function TooLong({ it, by }: { readonly it: ComposerModel; readonly by: number }) {
  const t = useTexts('composer')
  const { number } = useFormats()
  const { text, editing } = it.composer
  const parts = useMemo(
    () => (text.length > it.maxLength * MAX_PARTS ? Infinity : splitText(text, it.maxLength).length),
    [text, it.maxLength],
  )
  const ways = [
    ...(editing === undefined ? [] : [{ id: 'cut', label: t('cutToLimit'), onClick: it.cutToLimit }]),
    ...(editing !== undefined || parts > MAX_PARTS
      ? []
      : [{ id: 'split', label: t('splitText', { count: parts }), onClick: () => it.send({ split: true }) }]),
    ...(it.takesFiles && it.uploads.length < MAX_FILES_PER_MESSAGE
      ? [{ id: 'file', label: t('textToFile'), onClick: it.textToFile }]
      : []),
  ]
  return (
    <>
      {t('tooLong', { count: by, shown: number(by) })}
      {ways.map(({ id, label, onClick }) => (
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

/** The warning of the spec, with the action. */
function WaitForUploads({ it, stuck }: { readonly it: ComposerModel; readonly stuck: boolean }) {
  const t = useTexts('composer')
  if (stuck) return t('waitForUploads')
  return (
    <>
      {t('waitForUploads')}{' '}
      <button type="button" className={styles['action']} onClick={() => it.send({ whenReady: true })}>
        {t('sendWhenReady')}
      </button>
    </>
  )
}

/** Files beyond the tenth: nothing of them is lost, they make a message of their own. */
function LeftOut({ it }: { readonly it: ComposerModel }) {
  const t = useTexts('composer')
  return (
    <>
      {t('filesLeftOut', { count: it.leftOut, max: MAX_FILES_PER_MESSAGE })}{' '}
      <button type="button" className={styles['action']} onClick={it.sendAndGoOn}>
        {t('uploads.filesInSecond')}
      </button>
    </>
  )
}

/** The countdown, and a way not to watch it: the message waits in the outbox until slow mode lets it go. */
function SlowMode({ it, seconds }: { readonly it: ComposerModel; readonly seconds: number }) {
  const t = useTexts('composer')
  return (
    <>
      {t('slowMode', { count: seconds })}{' '}
      <button type="button" className={styles['action']} onClick={() => it.send({ whenReady: true })}>
        {t('sendWhenAllowed')}
      </button>
    </>
  )
}

function useHint(it: ComposerModel): string | undefined {
  const t = useTexts('composer')
  const enterSends = useSetting('enterSends')
  const keys = `${useHost().os === 'macos' ? '⌘' : 'Ctrl'} + Enter`
  const { composer, decision } = it
  if (composer.editing !== undefined) return enterSends ? t('hintEdit') : t('hintEditSwapped', { keys })
  if (composer.quotedId !== undefined && composer.text === '') return t('hintCancel')
  if (composer.text === '' || !it.focused) return undefined
  if (decision.kind === 'outbox' && enterSends) return t('hintQueue')
  if (!enterSends) return t('hintSendSwapped', { keys })
  return hasLearnedEnter() ? undefined : t('hintNewLine')
}

function AlsoSend({ it, place, channel }: Omit<Props, 'id'>) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const name = useTitle(place.cid)
  return (
    <label className={styles['also']}>
      <input
        type="checkbox"
        className="sr-only"
        checked={it.composer.showInChannel}
        onChange={(event) => dispatch(alsoInChannelSet({ key: place.key, on: event.target.checked }))}
      />
      <span className={styles['tick']} aria-hidden="true">
        <Icon name="check" size={13} />
      </span>
      <span className="ellipsis">{isDirect(channel) ? t('alsoSendPerson') : t('alsoSend', { name })}</span>
    </label>
  )
}
