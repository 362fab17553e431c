import { useEffect, useMemo, useState } from 'react'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useLiveClock } from '../../lib/time/clocks.ts'
import { announce } from '../../lib/page/announce.ts'
import { sendCommand, useCommand } from '../../store/commands.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useConnection } from '../../store/hooks.ts'
import { useShortcut } from '../../app/keys/shortcuts.tsx'
import { Tooltip } from '../../ui/Popover/Popover.tsx'
import { moveLocation, stopAllLocations, readLive, watchPosition } from './commands.ts'
import { minutesLeft, isLive } from '#shared/rules/locations/locations.ts'
import styles from './Location.module.css'
import { createSelector } from '@reduxjs/toolkit'
import { shallowEqual } from 'react-redux'
import type { LiveShare } from '#shared/bridge/calls/messages.ts'
import { selectSession } from '../../store/selectors.ts'
import type { AppState } from '../../store/store.ts'

/** In the title strip while the viewer's location is shared live: until when, and a click or a key that stops it. */
export function LiveChip() {
  const t = useTexts('locations')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const keys = useShortcut('stopSharing')
  const shares = useLiveShares()
  const running = shares.length > 0
  useEffect(() => {
    if (!running) return undefined
    return watchPosition((to) => void dispatch(moveLocation(to)))
  }, [dispatch, running])
  useCommand(
    'stopSharing',
    () => void dispatch(stopAllLocations(shares)).then((stopped) => stopped.ok && announce(t('stopped'))),
    running,
  )
  const now = useLiveClock(shares.map(({ endAt }) => endAt))
  const last = shares.at(-1)
  if (last === undefined) return null
  return (
    <Tooltip text={t('stop')} keys={keys}>
      <button type="button" className={styles['chip']} onClick={() => dispatch(sendCommand('stopSharing'))}>
        <span className={styles['live']} aria-hidden="true" />
        {t('chip', { time: formats.time(last.endAt) })}
        <span className={styles['left']}>{t('left', { count: minutesLeft(last.endAt, now) })}</span>
        <span className="sr-only">. {t('stop')}</span>
      </button>
    </Tooltip>
  )
}

/** Loaded own messages with a live location, running or ended, as strings. They are newer than the server's last response. */
const selectOwnShares = createSelector(
  [(state: AppState) => state.liveLocations, (state: AppState) => selectSession(state).userId],
  (messages, me): readonly string[] => {
    const shares: string[] = []
    for (const { id, cid, userId, location, deletedAt, status } of Object.values(messages)) {
      if (location?.endAt === undefined || userId !== me || status !== 'received') continue
      shares.push(`${id} ${cid} ${deletedAt === undefined ? location.endAt : 0}`)
    }
    return shares
  },
)

const NONE: readonly string[] = []

/** The server's response, with the attach count and the loaded messages at the time of the request. */
type LiveResponse = {
  readonly shares: readonly LiveShare[]
  readonly attached: number
  readonly loaded: readonly string[]
}

/** The viewer's running live shares, soonest end first. */
export function useLiveShares(): readonly LiveShare[] {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const attached = useAttachCount()
  const [response, setResponse] = useState<LiveResponse>({ shares: [], attached: 0, loaded: NONE })
  const loaded = useAppSelector(selectOwnShares, shallowEqual)
  useEffect(() => {
    if (offline) return undefined
    let wanted = true
    const load = async (): Promise<void> => {
      const result = await dispatch(readLive())
      if (wanted && result.ok) setResponse({ shares: result.value ?? [], attached, loaded })
    }
    void load()
    return () => {
      wanted = false
    }
  }, [dispatch, offline, attached, loaded])
  const all = useMemo(() => {
    const own = loaded.map((line): LiveShare => {
      const [messageId = '', cid = '', endAt = '0'] = line.split(' ')
      return { messageId, cid, endAt: Number(endAt) } as unknown as LiveShare
    })
    const known = new Set<string>(own.map(({ messageId }) => messageId))
    return [...own, ...response.shares.filter(({ messageId }) => !known.has(messageId))].toSorted(
      (a, b) => a.endAt - b.endAt,
    )
  }, [loaded, response])
  const now = useLiveClock(all.map(({ endAt }) => endAt))
  return useMemo(() => all.filter((share) => isLive(share, now)), [all, now])
}
