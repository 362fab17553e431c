import { useRef, useState } from 'react'
import type { CustomEmoji, EmojiTerms } from '#shared/domain/emoji.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import { selectEmojiList, selectEmojiTerms } from '../../../store/selectors.ts'
import { useAppSelector, useConnection, useSession, useAppDispatch } from '../../../store/hooks.ts'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { emojiByName } from '../../emoji/index.ts'
import { AddEmoji } from './AddEmoji.tsx'
import { EmojiRow } from './EmojiRow.tsx'
import styles from './Emoji.module.css'
import { emojiCode } from '#shared/rules/messages/emoji.ts'
import { announce } from '../../../lib/page/announce.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { removeEmoji } from './commands.ts'

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

/** Confirms deleting an emoji for everyone. Focus is on Cancel. */
function DeleteEmoji({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const t = useTexts('emoji')
  const dispatch = useAppDispatch()
  const cancel = useRef<HTMLButtonElement>(null)
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const code = emojiCode(name)
  const remove = async (): Promise<void> => {
    setWorking(true)
    const done = await dispatch(removeEmoji({ name }))
    setWorking(false)
    if (!done.ok && done.error.code !== 'emoji/gone') return formMessage.refuse(done.error)
    announce(t('page.removed', { code }))
    onClose()
  }
  return (
    <Dialog
      alert
      title={t('page.deleteTitle', { code })}
      width={400}
      initialFocus={cancel}
      onClose={onClose}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('page.cancel')}
          </Button>
          <Button variant="danger" working={working} onClick={() => void remove()}>
            {t('page.delete')}
          </Button>
        </>
      }
    >
      <DialogText>{t('page.deleteWhy', { code })}</DialogText>
      <Refusal text={formMessage.text} />
    </Dialog>
  )
}
