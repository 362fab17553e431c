import { useRef, useState } from 'react'
import type { CustomEmoji, EmojiTerms } from '#shared/domain/emoji.ts'
import { emojiCode } from '#shared/rules/messages/emoji.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import { selectEmojiList, selectEmojiTerms } from '../../../store/selectors.ts'
import { useAppSelector, useConnection, useSession, useAppDispatch, useUser } from '../../../store/hooks.ts'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { command } from '../../../store/command.ts'
import { emojiByName, CustomEmoji as Emoji } from '../../emoji/index.ts'
import { AddEmoji, NameFields, useNamesForm } from './AddEmoji.tsx'
import styles from './Emoji.module.css'
import { nameOf } from '../../people/index.ts'

/** Errors of these are shown in their forms. */
const changeEmoji = command(
  'emoji/changed',
  (input: { name: string; to: string; aliases: string[] }, engine) => engine.emoji.change(input),
  { quiet: true },
)
const removeEmoji = command('emoji/removed', (input: { name: string }, engine) => engine.emoji.remove(input), {
  quiet: true,
})

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

type Props = { readonly emoji: CustomEmoji; readonly mayChange: boolean; readonly onDelete: () => void }

/** An emoji: picture, names, author and date; can be renamed in place. */
function EmojiRow({ emoji, mayChange, onDelete }: Props) {
  const t = useTexts('emoji')
  const [changing, setChanging] = useState(false)
  const code = emojiCode(emoji.name)
  return (
    <li className={styles['row']}>
      <div className={styles['line']}>
        <span className={styles['big']} aria-hidden="true">
          <Emoji name={emoji.name} square />
        </span>
        <span className={styles['text']}>
          <span className={styles['name']}>{code}</span>
          {emoji.aliases.length === 0 ? null : (
            <span className={styles['aliases']}>{emoji.aliases.map(emojiCode).join(' ')}</span>
          )}
          <Made emoji={emoji} />
        </span>
        {mayChange ? (
          <>
            <IconButton
              size="small"
              icon="pencil"
              label={t('page.change', { code })}
              pressed={changing}
              onClick={() => setChanging(!changing)}
            />
            <IconButton size="small" icon="trash" label={t('page.remove', { code })} onClick={onDelete} />
          </>
        ) : null}
      </div>
      {changing ? <ChangeForm emoji={emoji} onDone={() => setChanging(false)} /> : null}
    </li>
  )
}

function Made({ emoji: { createdBy, createdAt } }: { readonly emoji: CustomEmoji }) {
  const t = useTexts('emoji')
  const formats = useFormats()
  const now = useMinute()
  const user = useUser(createdBy)
  if (createdBy === undefined || createdAt === undefined) return null
  const name = nameOf(user, createdBy)
  return <span className={styles['made']}>{t('page.made', { name, date: formats.date(createdAt, now) })}</span>
}

function ChangeForm({ emoji, onDone }: { readonly emoji: CustomEmoji; readonly onDone: () => void }) {
  const t = useTexts('emoji')
  const dispatch = useAppDispatch()
  const form = useNamesForm(emoji, emoji.name)
  const [working, setWorking] = useState(false)
  const submit = async (): Promise<void> => {
    const names = form.take()
    if (names === undefined) return
    setWorking(true)
    const done = await dispatch(changeEmoji({ name: emoji.name, to: names.name, aliases: names.aliases }))
    setWorking(false)
    if (!done.ok) return form.refuse(done.error)
    announce(t('page.changed', { code: emojiCode(names.name) }))
    onDone()
  }
  return (
    <form
      className={styles['form']}
      aria-label={t('page.change', { code: emojiCode(emoji.name) })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!working) void submit()
      }}
    >
      <NameFields form={form} nameHint={t('page.renameHint')} />
      <div className={styles['buttons']}>
        <Button type="submit" working={working}>
          {t('page.save')}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {t('page.cancel')}
        </Button>
      </div>
    </form>
  )
}
