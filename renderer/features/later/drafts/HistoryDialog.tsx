import { useEffect, useState } from 'react'
import type { DraftVersion } from '#shared/domain/draft.ts'
import { DRAFT_HISTORY_DAYS } from '#shared/rules/composer/composer.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { EmojiText } from '../../emoji/index.ts'
import { forgetHistory, readHistory, restoreVersion } from './commands.ts'
import styles from './History.module.css'

/** Earlier drafts of one composer, or of all, that were changed or discarded. A click restores one. */
export function HistoryDialog({ of }: { readonly of?: string }) {
  const t = useTexts('drafts')
  const common = useTexts('common')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [versions, setVersions] = useState<readonly DraftVersion[]>()
  const [failure, setFailure] = useState<ErrorBody>()
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const result = await dispatch(readHistory(of === undefined ? {} : { key: of }))
      if (!live) return
      if (result.ok) setVersions(result.value ?? [])
      else setFailure(result.error)
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, of])
  const { containerProps, itemProps } = useRoving({ ids: versions?.map(({ id }) => String(id)) ?? [] })
  const { ref, ...listeners } = containerProps
  const close = (): void => void dispatch(dialogClosed())
  const restore = (version: DraftVersion): void => {
    close()
    void dispatch(restoreVersion(version))
  }
  const forget = async (): Promise<void> => {
    const forgotten = await dispatch(forgetHistory())
    if (forgotten.ok) setVersions([])
  }
  return (
    <Dialog
      title={t('history.title')}
      width={560}
      onClose={close}
      hint={t('history.limit', { count: DRAFT_HISTORY_DAYS })}
      actions={
        <>
          {versions === undefined || versions.length === 0 ? null : <Forget onForget={() => void forget()} />}
          <Button onClick={close}>{common('close')}</Button>
        </>
      }
    >
      {failure === undefined ? null : (
        <p className={styles['failure']} role="alert">
          {errorText(failure)}
        </p>
      )}
      {versions?.length === 0 ? <p className={styles['none']}>{t('history.none')}</p> : null}
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['versions']}
        aria-label={t('history.title')}
        {...listeners}
      >
        {versions?.map((version) => (
          <Version
            key={version.id}
            version={version}
            item={itemProps(String(version.id))}
            onRestore={() => restore(version)}
          />
        ))}
      </ul>
    </Dialog>
  )
}

/** Needs a second click to confirm, because it cannot be undone. */
function Forget({ onForget }: { readonly onForget: () => void }) {
  const t = useTexts('drafts')
  const [confirming, setConfirming] = useState(false)
  return (
    <Button
      variant={confirming ? 'danger' : 'quiet'}
      onBlur={() => setConfirming(false)}
      onClick={() => (confirming ? onForget() : setConfirming(true))}
    >
      {confirming ? t('history.sure') : t('history.forget')}
    </Button>
  )
}

type Props = {
  readonly version: DraftVersion
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onRestore: () => void
}

function Version({ version, item, onRestore }: Props) {
  const t = useTexts('drafts')
  const { listTime } = useFormats()
  const now = useMinute()
  const title = useAppSelector((state) => channelTitle(state, version.cid))
  return (
    <li>
      <button type="button" className={styles['version']} {...item} onClick={onRestore}>
        <span className={styles['head']}>
          <b className="ellipsis">{title === '' ? t('unknownPlace') : title}</b>
          {version.parentId === undefined ? null : <span>{t('inThreadUnknown')}</span>}
          <span className={styles['when']}>{listTime(version.at, now)}</span>
        </span>
        <span className={styles['text']} dir="auto">
          <EmojiText text={excerpt(version.text, 600)} />
        </span>
        <span className={styles['put']}>{t('history.restore')}</span>
      </button>
    </li>
  )
}
