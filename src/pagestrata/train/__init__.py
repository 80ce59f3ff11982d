"""Makes what the engine ships: labels from truths, trees and word lists from labels, a card that says how."""
