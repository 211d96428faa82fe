"""What designs in rounds share: how large a round is, what it aims at, and the belief and sizes it is drawn by."""
