/** Types of the local server: named channels are `team`, direct conversations `messaging`. */
export const CHANNEL_TYPE = 'team'
export const DIRECT_TYPE = 'messaging'
