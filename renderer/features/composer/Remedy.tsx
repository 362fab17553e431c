import { Fragment, useMemo } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import { MAX_PARTS, splitText } from '#shared/rules/composer/split-text.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import type { ComposerModel } from './use-composer.ts'
import styles from './StatusLine.module.css'

/** Why a message cannot be sent as it is, with what can be done about it. */
export function Remedy({ model }: { readonly model: ComposerModel }) {
  const { decision, leftOut } = model
  if (leftOut > 0) return <LeftOut model={model} />
  if (decision.kind === 'tooLong') return <TooLong model={model} by={decision.by} />
  if (decision.kind === 'uploading') return <WaitForUploads model={model} stuck={decision.stuck} />
  return decision.kind === 'slow' ? <SlowMode model={model} seconds={decision.seconds} /> : null
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
