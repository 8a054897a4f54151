// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// Escrow for swaps between two chains: deposited on the origin, filled on the destination by a relayer, then claimed by
/// him, or refunded once the deadline has passed. The zero address stands for the native asset.
contract SandboxBridge {
    using SafeERC20 for IERC20;

    struct Order {
        address depositor;
        address recipient;
        address inputToken;
        uint256 inputAmount;
        uint256 originChainId;
        uint256 destinationChainId;
        address outputToken;
        uint256 minimumOutput;
        uint256 fillDeadline;
        uint256 nonce;
    }

    enum Status {
        None,
        Deposited,
        Claimed,
        Refunded,
        Filled
    }

    /// How long after the deadline a refund waits, so that the last fill can still be claimed.
    uint256 public constant REFUND_DELAY = 60;

    /// Whose word counts for what happened on the other chain.
    address public immutable attester;
    uint256 public nonce;
    mapping(bytes32 orderId => Status) public status;

    event Deposited(bytes32 indexed orderId, address indexed depositor, Order order);
    event Filled(bytes32 indexed orderId, address indexed relayer, address recipient, address outputToken, uint256 amount);
    event Claimed(bytes32 indexed orderId, address relayer);
    event Refunded(bytes32 indexed orderId);

    error BadState();
    error BadValue();
    error BelowMinimum();
    error Expired();
    error NotAttester();
    error NotExpired();
    error WrongChain();

    constructor(address attester_) {
        attester = attester_;
    }

    function orderIdOf(Order memory order) public pure returns (bytes32) {
        return keccak256(abi.encode(order));
    }

    /// Takes the input until the order is filled or refunded; reverts after `depositDeadline`.
    function deposit(
        address recipient,
        address inputToken,
        uint256 inputAmount,
        uint256 destinationChainId,
        address outputToken,
        uint256 minimumOutput,
        uint256 depositDeadline,
        uint256 fillDeadline
    ) external payable returns (bytes32 orderId) {
        if (block.timestamp > depositDeadline || depositDeadline > fillDeadline) revert Expired();
        if (destinationChainId == block.chainid) revert WrongChain();
        Order memory order = Order(
            msg.sender, recipient, inputToken, inputAmount, block.chainid, destinationChainId,
            outputToken, minimumOutput, fillDeadline, ++nonce
        );
        orderId = orderIdOf(order);
        status[orderId] = Status.Deposited;
        if (inputToken == address(0)) {
            if (msg.value != inputAmount) revert BadValue();
        } else {
            if (msg.value != 0) revert BadValue();
            IERC20(inputToken).safeTransferFrom(msg.sender, address(this), inputAmount);
        }
        emit Deposited(orderId, msg.sender, order);
    }

    /// Delivers at least the minimum to the recipient, once.
    function fill(Order calldata order, uint256 amount) external payable {
        bytes32 orderId = orderIdOf(order);
        if (order.destinationChainId != block.chainid) revert WrongChain();
        if (block.timestamp > order.fillDeadline) revert Expired();
        if (amount < order.minimumOutput) revert BelowMinimum();
        if (status[orderId] != Status.None) revert BadState();
        status[orderId] = Status.Filled;
        if (order.outputToken == address(0)) {
            if (msg.value != amount) revert BadValue();
            Address.sendValue(payable(order.recipient), amount);
        } else {
            if (msg.value != 0) revert BadValue();
            IERC20(order.outputToken).safeTransferFrom(msg.sender, order.recipient, amount);
        }
        emit Filled(orderId, msg.sender, order.recipient, order.outputToken, amount);
    }

    /// Pays the relayer who has filled the order on the destination.
    function claim(Order calldata order, address relayer) external {
        if (msg.sender != attester) revert NotAttester();
        bytes32 orderId = settle(order, Status.Claimed);
        pay(order.inputToken, relayer, order.inputAmount);
        emit Claimed(orderId, relayer);
    }

    /// Returns the input of an order that nobody filled; anyone may ask for it.
    function refund(Order calldata order) external {
        bytes32 orderId = settle(order, Status.Refunded);
        if (block.timestamp <= order.fillDeadline + REFUND_DELAY) revert NotExpired();
        pay(order.inputToken, order.depositor, order.inputAmount);
        emit Refunded(orderId);
    }

    function settle(Order calldata order, Status end) private returns (bytes32 orderId) {
        orderId = orderIdOf(order);
        if (status[orderId] != Status.Deposited) revert BadState();
        status[orderId] = end;
    }

    function pay(address token, address to, uint256 amount) private {
        if (token == address(0)) Address.sendValue(payable(to), amount);
        else IERC20(token).safeTransfer(to, amount);
    }
}
