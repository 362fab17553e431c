import type { ReviewAction, ReviewItem } from '#shared/domain/manage/review.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import { type MenuItem, useMenu } from '../../../ui/Menu/Menu.tsx'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import type { Decisions } from './use-queue.ts'
import { Portrait } from '../../people/index.ts'
import { DecidedTag } from './QueueList.tsx'
import { useWords } from './words.ts'
import styles from './Review.module.css'

type Props = { readonly items: readonly ReviewItem[]; readonly decisions: Decisions }

const ABOVE = { side: 'above', align: 'end', gap: 6 } as const

/** What can be decided about these items. No decision is the suggested one. */
export function DecisionBar(props: Props) {
  const { items } = props
  const isDecided = items.every(({ status }) => status === 'decided')
  return (
    <footer className={styles['bar']}>
      <Decide
        {...props}
        action={isDecided ? 'reopen' : 'approve'}
        icon={isDecided ? 'undo' : 'check'}
        letter={isDecided ? undefined : 'A'}
      />
      <DeleteButton {...props} />
      <Decide {...props} action="ban" icon="ban" letter="B" />
      <span className={styles['grow']} />
      <MoreButton {...props} />
    </footer>
  )
}

type DecideProps = Props & {
  readonly action: ReviewAction
  readonly icon: IconName
  readonly letter: string | undefined
}

function Decide({ items, decisions, action, icon, letter }: DecideProps) {
  const t = useTexts('review')
  const isWide = useBreakpoint() === 'wide'
  if (!decisions.offers(action, items)) return null
  const refusal = decisions.refusal(action, items)
  const label = action === 'ban' && items.length > 1 ? t('actions.banAuthor') : t(`actions.${action}`)
  return (
    <Button
      icon={icon}
      aria-keyshortcuts={letter}
      aria-disabled={refusal !== undefined || undefined}
      title={refusal}
      onClick={() => decisions.start(action, items)}
    >
      {label}
      {isWide && letter !== undefined ? (
        <span className={styles['letter']} aria-hidden="true">
          <Keys keys={[letter]} />
        </span>
      ) : null}
    </Button>
  )
}

/** Deletes, with a menu of the other ways. */
function DeleteButton({ items, decisions }: Props) {
  const t = useTexts('review')
  const menu = useMenu({
    label: t('actions.deleteMore'),
    placement: ABOVE,
    items: () => {
      const entries = [
        choice(t, { items, decisions }, 'delete', 'trash'),
        choice(t, { items, decisions }, 'restore', 'undo'),
        { ...choice(t, { items, decisions }, 'delete-forever', 'trash'), danger: true },
      ]
      return entries.filter(({ id }) => decisions.offers(id, items))
    },
  })
  if (!decisions.offers('delete', items)) return null
  return (
    <span className={styles['split']}>
      <Decide items={items} decisions={decisions} action="delete" icon="trash" letter="D" />
      <IconButton icon="chevron-down" label={t('actions.deleteMore')} {...menu.triggerProps} />
      {menu.menu}
    </span>
  )
}

function MoreButton({ items, decisions }: Props) {
  const t = useTexts('review')
  const [first] = items
  const isOne = items.length === 1 && first !== undefined
  const menu = useMenu({
    label: t('actions.more'),
    placement: ABOVE,
    items: (): readonly MenuItem[] => {
      const props = { items, decisions }
      const entries: (MenuItem | undefined)[] = [
        isOne && first.authorId !== undefined
          ? {
              id: 'mute',
              label: t('actions.mute'),
              icon: 'bell-off',
              keys: ['M'],
              onSelect: () => decisions.mute(first),
            }
          : undefined,
        decisions.offers('ban', items)
          ? {
              id: 'shadow',
              label: t('actions.shadow'),
              icon: 'eye-off',
              disabledReason: decisions.refusal('ban', items),
              onSelect: () => decisions.start('ban', items, { shadow: true }),
            }
          : undefined,
        decisions.offers('unban', items) && items.some(({ bans }) => bans.length > 0)
          ? choice(t, props, 'unban', 'user')
          : undefined,
        decisions.offers('restore', items) ? choice(t, props, 'restore', 'undo') : undefined,
        decisions.offers('delete-forever', items)
          ? { ...choice(t, props, 'delete-forever', 'trash'), danger: true }
          : undefined,
      ]
      return entries.filter((entry) => entry !== undefined)
    },
  })
  return (
    <>
      <IconButton icon="more" label={t('actions.more')} {...menu.triggerProps} />
      {menu.menu}
    </>
  )
}

const choice = (
  t: ReturnType<typeof useTexts<'review'>>,
  { items, decisions }: Props,
  action: ReviewAction,
  icon: IconName,
): Extract<MenuItem, { readonly label: string }> & { readonly id: ReviewAction } => ({
  id: action,
  label: t(`actions.${action}`),
  icon,
  disabledReason: decisions.refusal(action, items),
  onSelect: () => decisions.start(action, items),
})

type SeveralProps = {
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
export function Several({ items, rows, more, decisions, onSelect }: SeveralProps) {
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
