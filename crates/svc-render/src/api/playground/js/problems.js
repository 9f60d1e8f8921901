export const problems = () => [];
