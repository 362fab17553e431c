import { useMemo } from 'react'
import type { HistoryEntry } from '#shared/domain/manage/review.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dialogOpened, placeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Spinner } from '../../../ui/View/Spinner.tsx'
import { useLoaded, useMayManage } from '../index.ts'
import { Versions } from '../../messages/index.ts'
import { loadVersions } from './commands.ts'
import { Sentence } from './Sentence.tsx'
import { useChangeWords, useSecondLine } from './words.ts'
import styles from './History.module.css'

type Props = { readonly entry: HistoryEntry; readonly onClose: () => void }

/** One action in full: every change, the versions of the message, and where it was. */
export function EntryPanel({ entry, onClose }: Props) {
  const t = useTexts('history')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const second = useSecondLine()({ ...entry, changes: [] })
  const changeWords = useChangeWords()
  const mayReadAll = useMayManage('people')
  const { cid, messageId, targetId } = entry
  const isKnown = useAppSelector(({ entities }) => cid !== undefined && entities.channels[cid] !== undefined)
  return (
    <section className={styles['panel']} aria-label={t('panel.title')}>
      <header className={styles['panelHead']}>
        <h2>{t('panel.title')}</h2>
        <IconButton icon="x" label={t('panel.close')} onClick={onClose} />
      </header>
      <div className={styles['panelBody']}>
        <p className={styles['whole']}>
          <Sentence entry={entry} />
        </p>
        <p className={styles['faint']}>{formats.full(entry.at)}</p>
        {second === '' ? null : (
          <p className={styles['whole']}>
            <bdi>{second}</bdi>
          </p>
        )}
        {entry.changes.length === 0 ? null : (
          <section aria-label={t('panel.changes')}>
            <h3>{t('panel.changes')}</h3>
            <ul>
              {entry.changes.map((change, index) => (
                <li key={index}>
                  <bdi>{changeWords(change)}</bdi>
                </li>
              ))}
            </ul>
          </section>
        )}
        {messageId !== undefined && entry.action === 'message.edit' && mayReadAll ? (
          <MessageVersions key={entry.id} messageId={messageId} />
        ) : null}
        <div className={styles['doors']}>
          {messageId !== undefined && cid !== undefined && isKnown ? (
            <Button size="small" onClick={() => dispatch(placeOpened({ cid, messageId }))}>
              {t('panel.open')}
            </Button>
          ) : null}
          {targetId === undefined ? null : (
            <Button size="small" onClick={() => dispatch(dialogOpened({ kind: 'person', userId: targetId }))}>
              {t('panel.person')}
            </Button>
          )}
        </div>
      </div>
    </section>
  )
}

function MessageVersions({ messageId }: { readonly messageId: NonNullable<HistoryEntry['messageId']> }) {
  const t = useTexts('history')
  const errorText = useErrorText()
  const { value, error } = useLoaded(useMemo(() => loadVersions({ messageId }), [messageId]))
  return (
    <section aria-label={t('panel.versions')}>
      <h3>{t('panel.versions')}</h3>
      {value !== undefined ? (
        <Versions versions={value.toReversed()} createdAt={value.at(-1)?.at ?? 0} />
      ) : error === undefined ? (
        <div role="status" aria-label={t('panel.loading')}>
          <Spinner />
        </div>
      ) : (
        <p className={styles['faint']}>{error.code === 'server/not-found' ? t('panel.gone') : errorText(error)}</p>
      )}
    </section>
  )
}
