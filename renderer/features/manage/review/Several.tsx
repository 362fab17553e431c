import type { ReviewItem } from '#shared/domain/manage/review.ts'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Portrait } from '../../people/index.ts'
import { DecisionBar } from './DecisionBar.tsx'
import { DecidedTag } from './QueueList.tsx'
import type { Decisions } from './use-decisions.ts'
import { useWords } from './words.ts'
import styles from './Review.module.css'

type Props = {
  readonly items: readonly ReviewItem[]
  readonly rows: readonly ReviewItem[]
  /** The server has more than is loaded. */
  readonly more: boolean
  readonly decisions: Decisions
  readonly onSelect: (ids: ReadonlySet<string>) => void
}

/** More would only be scrolled past. */
const SHOWN = 100

/** Several selected items, which one decision applies to. */
export function Several({ items, rows, more, decisions, onSelect }: Props) {
  const t = useTexts('review')
  const words = useWords()
  const authors = new Set(items.map(({ authorId }) => authorId))
  const decided = items.filter(({ status }) => status === 'decided').length
  const isMixed = decided > 0 && decided < items.length
  return (
    <div className={styles['detail']}>
      <section className={styles['read']} aria-label={t('several.title', { count: items.length })} tabIndex={0}>
        <h2 className={styles['count']}>
          {t(authors.size === 1 ? 'several.byOne' : 'several.title', { count: items.length })}
        </h2>
        <p className={styles['lead']}>{t('several.text')}</p>
        <ul className={styles['chosen']}>
          {items.slice(0, SHOWN).map((item) => (
            <li key={item.id} className={styles['message']}>
              {item.authorId === undefined ? (
                <Icon name="user-x" size={24} />
              ) : (
                <Portrait userId={item.authorId} size={24} />
              )}
              <div className={styles['body']}>
                <div className={styles['line']}>
                  <bdi className={styles['author']}>{words.name(item.authorId)}</bdi>
                  <bdi className={styles['second']}>
                    {words.place(item)}, {words.time(item.createdAt)}
                  </bdi>
                  <span className={styles['grow']} />
                  {item.status === 'decided' ? <DecidedTag item={item} /> : null}
                </div>
                <div className={styles['text']} dir="auto">
                  {item.text}
                </div>
              </div>
            </li>
          ))}
        </ul>
        {isMixed ? (
          <p className={styles['info']} role="status">
            <Icon name="info" size={16} /> {t('several.elsewhere', { count: decided })}
          </p>
        ) : null}
      </section>
      <div className={styles['several']}>
        <DecisionBar items={items} decisions={decisions} />
        <div className={styles['selection']}>
          <Button size="small" variant="quiet" onClick={() => onSelect(new Set(rows.map(({ id }) => id)))}>
            {t(more ? 'actions.selectLoaded' : 'actions.selectAll', { count: rows.length })}
          </Button>
          <IconButton icon="x" label={t('keys.clear')} onClick={() => onSelect(new Set())} />
        </div>
      </div>
    </div>
  )
}
