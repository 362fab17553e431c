import { useState } from 'react'
import {
  CAMPAIGN_PEOPLE,
  CAMPAIGN_SEGMENTS,
  type CampaignContent,
  type CampaignSegment,
} from '#shared/domain/manage/campaigns.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PillOn, PopoverPill } from '../../../ui/Mark/Pill.tsx'
import { FindList, type Found } from '../FindList.tsx'
import { Portrait, useNames } from '../../people/index.ts'
import { findAudience } from './commands.ts'
import styles from './Campaigns.module.css'

type Props = {
  readonly content: CampaignContent
  /** Segments as the server knows them; those chosen since are named by {@link Props.onSegment}. */
  readonly segments: readonly CampaignSegment[]
  readonly onSegment: (segment: CampaignSegment) => void
  readonly onChange: (to: Pick<CampaignContent, 'segmentIds' | 'userIds'>) => void
}

/** Chips of people shown; more are counted. */
const SHOWN = 12
/** Tells a segment from a person among what was found. */
const SEGMENT = 's '

/** Whom it goes to: segments and people, each of which can be removed. */
export function Recipients({ content, segments, onSegment, onChange }: Props) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const { segmentIds, userIds } = content
  const shown = userIds.slice(0, SHOWN)
  const names = useNames(shown)
  return (
    <div className={styles['chips']} role="group" aria-label={t('to')}>
      {segmentIds.map((id) => {
        const segment = segments.find((each) => each.id === id)
        const name = segment?.name ?? id
        const text = segment === undefined ? name : `${name} ${formats.number(segment.size)}`
        return (
          <PillOn
            key={id}
            sign={<Icon name="segments" size={15} />}
            text={text}
            label={t('removeTo', { name })}
            onRemove={() => onChange({ userIds, segmentIds: segmentIds.filter((each) => each !== id) })}
          />
        )
      })}
      {shown.map((id, index) => (
        <PillOn
          key={id}
          sign={<Portrait userId={id} size={18} />}
          text={names[index] ?? id}
          label={t('removeTo', { name: names[index] ?? id })}
          onRemove={() => onChange({ segmentIds, userIds: userIds.filter((each) => each !== id) })}
        />
      ))}
      {userIds.length > SHOWN ? (
        <span className={styles['quiet']}>{t('morePeople', { count: userIds.length - SHOWN })}</span>
      ) : null}
      <PopoverPill icon="plus" text={t('addTo')}>
        {() => <Adding content={content} onSegment={onSegment} onChange={onChange} />}
      </PopoverPill>
    </div>
  )
}

function Adding({ content, onSegment, onChange }: Omit<Props, 'segments'>) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const [signs] = useState(() => new Map<string, CampaignSegment>())
  const { segmentIds, userIds } = content
  const [find] = useState(() => async (text: string): Promise<readonly Found[]> => {
    const found = await dispatch(findAudience(text))
    if (!found.ok) return []
    for (const { id, name, kind, size } of found.value.segments) {
      signs.set(`${SEGMENT}${id}`, { id, name: name === '' ? id : name, type: kind, size })
    }
    return [
      ...found.value.segments.map(({ id, name }) => ({ id: `${SEGMENT}${id}`, name: name === '' ? id : name })),
      ...found.value.people.map(({ id, name }) => ({ id: `p ${id}`, name })),
    ]
  })
  const limits = {
    segments: t('limits.segments', { count: segmentIds.length, most: CAMPAIGN_SEGMENTS }),
    people: t('limits.people', { count: userIds.length, most: CAMPAIGN_PEOPLE }),
  }
  const choose = ({ id: key, name }: Found): void => {
    const segment = signs.get(key)
    const id = key.slice(SEGMENT.length)
    const isSegment = segment !== undefined
    if (isSegment ? segmentIds.length >= CAMPAIGN_SEGMENTS : userIds.length >= CAMPAIGN_PEOPLE) {
      return announce(isSegment ? limits.segments : limits.people)
    }
    if ((isSegment ? segmentIds : userIds).includes(id)) return
    if (isSegment) onSegment(segment)
    onChange(isSegment ? { userIds, segmentIds: [...segmentIds, id] } : { segmentIds, userIds: [...userIds, id] })
    announce(t('added', { name }))
  }
  return (
    <div className={styles['adding']}>
      <FindList
        label={t('addTo')}
        find={find}
        renderSign={(key) =>
          key.startsWith(SEGMENT) ? (
            <Icon name="segments" size={18} />
          ) : (
            <Portrait userId={key.slice(SEGMENT.length)} size={22} />
          )
        }
        searching={t('searching')}
        nothing={t('nothingFound')}
        onChoose={choose}
      />
      <p className={styles['hint']}>
        {limits.segments}
        <br />
        {limits.people}
      </p>
    </div>
  )
}
