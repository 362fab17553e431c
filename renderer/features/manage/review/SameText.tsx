import { useMemo, useState } from 'react'
import type { ReviewItem, SameText as Found } from '#shared/domain/manage/review.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { placeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { BROWSING_PAUSE_MS, useLoaded, useTopic } from '../index.ts'
import { gatherItems, loadSameText, MOST_AT_ONCE } from './commands.ts'
import { splitReason } from './filters.ts'
import { useWords } from './use-words.ts'
import styles from './Review.module.css'

type Props = {
  readonly item: ReviewItem
  /** These items are selected together with the open one. */
  readonly onGather: (ids: readonly string[]) => void
}

/** Names of places in one sentence; the rest is counted. */
const NAMED = 3
/** Listed at once. */
const SHOWN = 5

/** Other messages with the text of the open one, each a way to it, and all of them to be decided together. */
export function SameText({ item, onGather }: Props) {
  const t = useTexts('review')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const words = useWords()
  const { messageId, text } = item
  const load = useMemo(
    () => (messageId === undefined || text === '' ? undefined : loadSameText({ messageId, text })),
    [messageId, text],
  )
  const { value } = useLoaded(load, useTopic('review'), BROWSING_PAUSE_MS)
  const [all, setAll] = useState(false)
  if (value === undefined || value === null || value.copies.length === 0) return null
  const { copies, where } = value
  const places = [...new Set(copies.map((copy) => words.place({ ...copy, subject: 'message' })))]
  const named = places.slice(0, NAMED)
  const rest = places.length - named.length
  const shown = all ? copies : copies.slice(0, SHOWN)
  return (
    <section aria-label={t('same.title')} className={styles['same']}>
      <h2 className={styles['label']}>{t('same.title')}</h2>
      <p className={styles['sentenceText']}>
        <bdi>
          {t(where === 'server' ? 'same.server' : 'same.device', {
            count: copies.length,
            places: formats.list(rest === 0 ? named : [...named, t('same.morePlaces', { count: rest })]),
          })}
        </bdi>
      </p>
      <ul className={styles['copies']}>
        {shown.map(({ id, cid, parentId, userId, at, channelName, isDecided }) => (
          <li key={id}>
            <Button size="small" variant="link" onClick={() => dispatch(placeOpened({ cid, parentId, messageId: id }))}>
              <bdi>
                {t('same.copy', {
                  name: words.name(userId),
                  place: words.place({ cid, channelName, subject: 'message' }),
                  time: words.time(at),
                })}
              </bdi>
            </Button>
            {isDecided === true ? <span className={styles['second']}>{t('same.decided')}</span> : null}
          </li>
        ))}
      </ul>
      {shown.length === copies.length ? null : (
        <Button size="small" variant="link" onClick={() => setAll(true)}>
          {t('same.all', { count: copies.length })}
        </Button>
      )}
      <SelectAll item={item} copies={copies} onGather={onGather} />
    </section>
  )
}

/** Selects the open item and its copies; those that nobody reported are put in the queue first. */
function SelectAll({ item, copies, onGather }: Props & Pick<Found, 'copies'>) {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const open = copies.filter(({ isDecided }) => isDecided !== true).slice(0, MOST_AT_ONCE)
  if (open.length === 0 || item.status !== 'waiting') return null
  const reason = splitReason(item.reports.find(({ byId }) => byId !== undefined)?.reason ?? '').kind
  const gather = async (): Promise<void> => {
    setWorking(true)
    const messageIds = open.map(({ id }) => id)
    const gathered = await dispatch(gatherItems({ messageIds, ...(reason === '' ? {} : { reason }) }))
    setWorking(false)
    if (gathered.ok) onGather(gathered.value.ids)
  }
  return (
    <Button
      size="small"
      working={working}
      aria-disabled={offline || undefined}
      title={offline ? t('why.offline') : open.some(({ itemId }) => itemId === undefined) ? t('same.hint') : undefined}
      onClick={() => offline || void gather()}
    >
      {t('same.select', { count: open.length + 1 })}
    </Button>
  )
}
