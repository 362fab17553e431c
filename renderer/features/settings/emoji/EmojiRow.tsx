import { useState } from 'react'
import type { CustomEmoji as Emoji } from '#shared/domain/emoji.ts'
import { emojiCode } from '#shared/rules/messages/emoji.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useUser } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { CustomEmoji } from '../../emoji/index.ts'
import { changeEmoji } from './commands.ts'
import { NameFields, useNamesForm } from './NameFields.tsx'
import styles from './Emoji.module.css'

type Props = { readonly emoji: Emoji; readonly mayChange: boolean; readonly onDelete: () => void }

/** An emoji: picture, names, author and date; can be renamed in place. */
export function EmojiRow({ emoji, mayChange, onDelete }: Props) {
  const t = useTexts('emoji')
  const [changing, setChanging] = useState(false)
  const code = emojiCode(emoji.name)
  return (
    <li className={styles['row']}>
      <div className={styles['line']}>
        <span className={styles['big']} aria-hidden="true">
          <CustomEmoji name={emoji.name} square />
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

function Made({ emoji: { createdBy, createdAt } }: { readonly emoji: Emoji }) {
  const t = useTexts('emoji')
  const formats = useFormats()
  const now = useMinute()
  const user = useUser(createdBy)
  if (createdBy === undefined || createdAt === undefined) return null
  const name = cleanName(user?.name ?? createdBy)
  return <span className={styles['made']}>{t('page.made', { name, date: formats.date(createdAt, now) })}</span>
}

function ChangeForm({ emoji, onDone }: { readonly emoji: Emoji; readonly onDone: () => void }) {
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
