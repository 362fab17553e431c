import { useRef, useState } from 'react'
import type { CustomEmoji, EmojiTerms } from '#shared/domain/emoji.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import { selectEmojiList, selectEmojiTerms } from '../../../store/emoji.ts'
import { useAppSelector, useConnection, useSession } from '../../../store/hooks.ts'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { emojiByName } from '../../emoji/index.ts'
import { AddEmoji } from './AddEmoji.tsx'
import { DeleteEmoji } from './DeleteEmoji.tsx'
import { EmojiRow } from './EmojiRow.tsx'
import styles from './Emoji.module.css'

/** The search field is shown from this number of emoji on. */
const MIN_FOR_SEARCH = 10

/** Emoji of the workspace; with the right, they can be added, renamed and deleted. */
export function EmojiSettings() {
  const t = useTexts('emoji')
  const terms = useAppSelector(selectEmojiTerms)
  const list = useAppSelector(selectEmojiList)
  const isOnline = useConnection().state === 'healthy'
  const [added, setAdded] = useState(0)
  if (terms === undefined) return <p className={styles['note']}>{t('page.notHere')}</p>
  const isFull = list.length >= terms.maxCount
  return (
    <>
      {isOnline ? null : <p className={styles['note']}>{t('page.offline')}</p>}
      {!terms.canCreate || !isOnline ? null : isFull ? (
        <p className={styles['note']}>{t('page.full', { count: terms.maxCount })}</p>
      ) : (
        <AddEmoji key={added} terms={terms} onAdded={() => setAdded(added + 1)} />
      )}
      <List list={list} terms={terms} isOnline={isOnline} />
    </>
  )
}

type ListProps = { readonly list: readonly CustomEmoji[]; readonly terms: EmojiTerms; readonly isOnline: boolean }

function List({ list, terms, isOnline }: ListProps) {
  const t = useTexts('emoji')
  const { userId } = useSession()
  const { compare } = useFormats()
  const [query, setQuery] = useState('')
  const [deleting, setDeleting] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const wanted = fold(query.replaceAll(':', '').trim())
  const shown = emojiByName(list, compare).filter(({ name, aliases }) =>
    [name, ...aliases].some((each) => each.includes(wanted)),
  )
  const close = (): void => {
    setDeleting(undefined)
    // The row whose button opened the dialog may have been removed.
    requestAnimationFrame(() => document.activeElement === document.body && heading.current?.focus())
  }
  return (
    <section aria-labelledby="workspace-emoji">
      <h2 id="workspace-emoji" ref={heading} tabIndex={-1}>
        {list.length === 0 ? t('customNone') : t('page.list', { count: list.length })}
      </h2>
      {list.length < MIN_FOR_SEARCH ? null : <FindField label={t('page.find')} value={query} onChange={setQuery} />}
      {list.length === 0 ? null : shown.length === 0 ? (
        <p className={styles['note']}>{t('nothing', { query: query.trim() })}</p>
      ) : (
        <ul>
          {shown.map((emoji) => (
            <EmojiRow
              key={emoji.image}
              emoji={emoji}
              mayChange={isOnline && (terms.canManage || (terms.canCreate && emoji.createdBy === userId))}
              onDelete={() => setDeleting(emoji.name)}
            />
          ))}
        </ul>
      )}
      {deleting === undefined ? null : <DeleteEmoji name={deleting} onClose={close} />}
    </section>
  )
}
