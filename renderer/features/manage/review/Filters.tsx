import { asCid, asUserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppStore } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { MenuPill, PillOn } from '../../../ui/Mark/Pill.tsx'
import { Portrait, selectName } from '../../people/index.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { REASON_KINDS, type ReviewFilters } from './filters.ts'
import { PickPill } from './PickPill.tsx'
import { useWords } from './use-words.ts'
import styles from './Review.module.css'

type Props = {
  readonly filters: ReviewFilters
  readonly onChange: (filters: ReviewFilters) => void
  /** Reports are not filtered by author. */
  readonly noAuthor?: boolean
}

const DAY_MS = 86_400_000
const AGES = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const
type Age = keyof typeof AGES

/** Narrows the queue by channel, reason, reporter, author and age. */
export function Filters({ filters, onChange, noAuthor = false }: Props) {
  const t = useTexts('review')
  const words = useWords()
  const people = usePeople()
  const channels = useChannels()
  const set = (change: Partial<ReviewFilters>): void => {
    const next = Object.entries({ ...filters, ...change }).filter(([, value]) => value !== undefined)
    onChange(Object.fromEntries(next))
  }
  const { cid, reason, reporterId, authorId, since } = filters
  const person = (userId: string) => ({
    id: userId,
    label: words.name(userId),
    sign: <Portrait userId={userId} size={18} />,
  })
  const now = useMinute()
  const age = (Object.keys(AGES) as Age[]).find((each) => since !== undefined && now - since < AGES[each] + DAY_MS / 2)
  return (
    <>
      <PickPill
        icon="hash"
        text={t('filters.channel')}
        chosen={cid === undefined ? undefined : { id: cid, label: words.place({ cid, subject: 'message' }) }}
        choices={channels}
        onChoose={(id) => set({ cid: id === undefined ? undefined : asCid(id) })}
      />
      <PickPill
        icon="flag"
        text={t('filters.reason')}
        chosen={reason === undefined ? undefined : { id: reason, label: words.kind(reason) }}
        choices={() => REASON_KINDS.map((id) => ({ id, label: t(`reasons.${id}`) }))}
        onChoose={(id) => set({ reason: id })}
      />
      <PickPill
        icon="user"
        text={t('filters.reporter')}
        chosen={reporterId === undefined ? undefined : person(reporterId)}
        choices={people}
        onChoose={(id) => set({ reporterId: id === undefined ? undefined : asUserId(id) })}
      />
      {noAuthor ? null : (
        <PickPill
          icon="user"
          text={t('filters.author')}
          chosen={authorId === undefined ? undefined : person(authorId)}
          choices={people}
          onChoose={(id) => set({ authorId: id === undefined ? undefined : asUserId(id) })}
        />
      )}
      {since === undefined ? (
        <MenuPill
          icon="clock"
          text={t('filters.age')}
          items={() =>
            (Object.keys(AGES) as Age[]).map((id) => ({
              id,
              label: t(`filters.ages.${id}`),
              onSelect: () => set({ since: Date.now() - AGES[id] }),
            }))
          }
        />
      ) : (
        <PillOn
          text={t(`filters.ages.${age ?? 'month'}`)}
          label={t('filters.remove', { filter: t(`filters.ages.${age ?? 'month'}`) })}
          onRemove={() => set({ since: undefined })}
        />
      )}
      {Object.keys(filters).length === 0 ? null : (
        <Button size="small" variant="quiet" onClick={() => onChange({})}>
          {t('filters.clear')}
        </Button>
      )}
      <span className={styles['order']}>{t('filters.newest')}</span>
    </>
  )
}

/** People whom this device knows. */
function usePeople() {
  const store = useAppStore()
  const formats = useFormats()
  return () => {
    const state = store.getState()
    return Object.keys(state.entities.users)
      .map((id) => ({ id, label: selectName(state, id), sign: <Portrait userId={id} size={20} /> }))
      .toSorted((a, b) => formats.compare(a.label, b.label))
  }
}

function useChannels() {
  const store = useAppStore()
  const formats = useFormats()
  return () => {
    const state = store.getState()
    return Object.values(state.entities.channels)
      .map(({ cid, directUserIds }) => ({
        id: cid,
        label: directUserIds.length > 0 ? channelTitle(state, cid) : `#${channelTitle(state, cid)}`,
      }))
      .toSorted((a, b) => formats.compare(a.label, b.label))
  }
}
