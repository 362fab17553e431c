import { useAppSelector } from '../../store/hooks.ts'
import { channelTitle } from '../sidebar/index.ts'

/** The name of a channel or conversation as the rest of the app writes it. */
export const useTitle = (cid: string): string => useAppSelector((state) => channelTitle(state, cid))
