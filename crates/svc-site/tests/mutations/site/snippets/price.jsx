export const Price = ({ amount }) => <b>{amount} €</b>;
