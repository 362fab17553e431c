import { useMemo, useState } from 'react'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { asCid, asUserId, type Cid, type UserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useAppStore, useConnection, useMe, useUser } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { channelTitle, PeoplePicker } from '../../sidebar/index.ts'
import { BanForm, type BanPlaces, type FilledBan } from './BanForm.tsx'
import { banPeople, EVERYWHERE } from './commands.ts'

const MOST_AT_ONCE = 100

type Props = {
  /** The channel on screen; absent: chosen here. */
  readonly cid?: Cid
  /** Who is banned; absent: chosen here. */
  readonly userId?: UserId
  readonly userIds?: readonly UserId[]
}

/** Bans people, in the channel on screen or in a place that is chosen. */
export function BanDialog({ cid, userId, userIds }: Props) {
  const t = useTexts('profile')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const given = userIds ?? (userId === undefined ? undefined : [userId])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const who = given ?? chosen.map(asUserId)
  const name = cleanName(useUser(who[0])?.name ?? who[0] ?? '')
  const me = useMe()?.id
  const places = usePlaces(cid)
  const [working, setWorking] = useState(false)
  const [failed, setFailed] = useState<Failure>()
  const close = (): void => void dispatch(dialogClosed())
  const ban = async ({ place, ...terms }: FilledBan): Promise<void> => {
    setWorking(true)
    setFailed(undefined)
    const where = place === EVERYWHERE ? undefined : asCid(place)
    const { refused } = await dispatch(banPeople(who, { ...terms, cid: where }))
    setWorking(false)
    const [first] = refused
    if (first === undefined) close()
    else setFailed({ count: refused.length, error: first.error })
  }
  return (
    <BanForm
      title={
        given === undefined
          ? t('banDialog.titleNobody')
          : who.length === 1
            ? t('banDialog.titleOne', { name })
            : t('banDialog.titleMany', { count: who.length })
      }
      hint={offline ? t('banDialog.offline') : t('banDialog.anyTime')}
      confirm={(shadow) =>
        who.length === 1
          ? t(`banDialog.confirm.${shadow ? 'shadow' : 'open'}`, { name })
          : who.length === 0
            ? t('banDialog.confirmNobody')
            : t('banDialog.confirmMany', { count: who.length })
      }
      places={places}
      offersLater
      disabled={who.length === 0 || offline}
      working={working}
      onBan={(filled) => void ban(filled)}
      onClose={close}
      who={
        given === undefined ? (
          <PeoplePicker
            label={t('banDialog.who')}
            chosen={chosen}
            max={MOST_AT_ONCE}
            leaveOut={new Set(me === undefined ? [] : [me])}
            onChange={setChosen}
          />
        ) : null
      }
      outcome={<Failed failed={failed} many={who.length > 1} />}
    />
  )
}

/** Where the viewer may ban: the channel on screen and the whole workspace, or without a channel each of them. */
function usePlaces(cid: Cid | undefined): BanPlaces {
  const t = useTexts('profile')
  const { compare } = useFormats()
  const rights = useAppSelector((state) => state.entities.manage['self']?.rights)
  const channels = useAppSelector((state) => state.entities.channels)
  const store = useAppStore()
  return useMemo(() => {
    const titles = store.getState()
    const everywhere =
      rights?.includes('ban-everywhere') === true ? [{ value: EVERYWHERE, label: t('banDialog.everywhere') }] : []
    if (cid !== undefined) {
      return [{ value: cid, label: t('banDialog.onlyIn', { channel: channelTitle(titles, cid) }) }, ...everywhere]
    }
    const allowed = Object.values(channels)
      .filter((channel) => channel.directUserIds.length === 0 && may(channel, 'ban-channel-members'))
      .map((channel) => ({ value: channel.cid as string, label: `#${channelTitle(titles, channel.cid)}` }))
      .toSorted((a, b) => compare(a.label, b.label))
    return [...everywhere, ...allowed]
  }, [t, compare, rights, channels, store, cid])
}

type Failure = { readonly count: number; readonly error: ErrorBody }

function Failed({ failed, many }: { readonly failed: Failure | undefined; readonly many: boolean }) {
  const t = useTexts('profile')
  const errorText = useErrorText()
  if (failed === undefined) return null
  const why = errorText(failed.error)
  return <Refusal text={many ? t('banDialog.someRefused', { count: failed.count, why }) : why} />
}
