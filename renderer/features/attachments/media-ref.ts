/** The reference of an attachment's media for `Bridge.mediaUrl`. */
export const mediaRef = (messageId: string, index: number): string => `att/${messageId}.${index}`
