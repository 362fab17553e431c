import { NEW_POLL, type Draft } from '#shared/domain/draft.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useMinute } from '../../lib/time/use-minute.ts'
import { useAppSelector, useChannel } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { channelTitle } from '../sidebar/index.ts'
import { EmojiText } from '../emoji/index.ts'
import styles from './Drafts.module.css'

type ItemProps = { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }

type Props = {
  readonly draft: Draft
  readonly item: ItemProps
  readonly onOpen: () => void
  readonly onDiscard: () => void
}

export function DraftRow({ draft, item, onOpen, onDiscard }: Props) {
  const t = useTexts('drafts')
  const place = usePlaceName(draft)
  const files = draft.uploads.length
  const poll = draft.polls?.[NEW_POLL]
  return (
    <li className={styles['row']} data-draft={draft.key}>
      <button
        type="button"
        className={styles['open']}
        {...item}
        onClick={onOpen}
        onKeyDown={(event) => event.key === 'Delete' && onDiscard()}
      >
        <PlaceGlyph draft={draft} />
        <span className={styles['body']}>
          <span className={styles['where']}>
            <b>{place}</b>
            <ThreadExcerpt draft={draft} />
            {draft.edit === undefined ? null : (
              <span className={styles['tag']}>
                <Icon name="pencil" size={12} />
                {t('editing')}
              </span>
            )}
            {poll === undefined ? null : (
              <span className={styles['tag']}>
                <Icon name="poll" size={12} />
                {t('poll')}
              </span>
            )}
            {files > 0 ? (
              <span className={styles['tag']}>
                <Icon name="paperclip" size={12} />
                {t('files', { count: files })}
              </span>
            ) : null}
          </span>
          <span className={styles['text']}>
            <EmojiText
              text={excerpt(draft.edit?.text ?? draft.text, 400) || excerpt(poll?.name ?? '', 400) || t('noWords')}
            />
          </span>
        </span>
        <When at={draft.updatedAt} />
      </button>
      <span className={styles['actions']}>
        <IconButton size="small" icon="arrow-right" label={t('continueIn', { place })} onClick={onOpen} />
        <IconButton size="small" icon="trash" label={t('discardIn', { place })} onClick={onDiscard} />
      </span>
    </li>
  )
}

type DiscardedProps = { readonly draft: Draft; readonly item: ItemProps; readonly onUndo: () => void }

export function DiscardedRow({ draft, item, onUndo }: DiscardedProps) {
  const t = useTexts('drafts')
  const place = usePlaceName(draft)
  return (
    <li className={styles['gone']}>
      <span>
        <b>{place}</b> {t('discarded')}
      </span>
      <Button size="small" icon="undo" {...item} onClick={onUndo}>
        {t('undo')}
      </Button>
    </li>
  )
}

function usePlaceName({ cid }: Draft): string {
  const t = useTexts('drafts')
  const title = useAppSelector((state) => channelTitle(state, cid))
  return title === '' ? t('unknownPlace') : title
}

function PlaceGlyph({ draft }: { readonly draft: Draft }) {
  const channel = useChannel(draft.cid)
  const direct = (channel?.directUserIds.length ?? 0) > 0
  const name = draft.parentId !== undefined ? 'thread' : direct ? 'chat' : channel?.isPrivate === true ? 'lock' : 'hash'
  return (
    <span className={styles['glyph']}>
      <Icon name={name} size={18} />
    </span>
  )
}

function ThreadExcerpt({ draft }: { readonly draft: Draft }) {
  const t = useTexts('drafts')
  const parent = useAppSelector((state) => (draft.parentId ? selectMessage(state, draft.parentId) : undefined))
  if (draft.parentId === undefined) return null
  const text = parent === undefined ? '' : excerpt(parent.text, 48)
  return (
    <span className={styles['thread']}>
      {text === ''
        ? t('inThreadUnknown')
        : richText((values) => t('inThread', values), { text: <EmojiText text={text} /> })}
    </span>
  )
}

function When({ at }: { readonly at: number }) {
  const t = useTexts('drafts')
  const { listTime } = useFormats()
  const now = useMinute()
  return <span className={styles['when']}>{t('edited', { when: listTime(at, now) })}</span>
}
